//! The batch checker reports the same diagnostics as the queries of the database.

use std::sync::Arc;
use tile_analysis::batch::{self, Keep};
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File, diagnostics};
use tile_launch::find;
use tile_tests::examples;

/// Approximate number of prefixes of each example.
const PREFIXES: usize = 50;

/// Asserts that both report the same diagnostics for a program, including those of launches.
fn agree(name: &str, text: &str) {
    let db = Database::default();
    let file = File::new(&db, Arc::from(text), Options::default());
    let checked = batch::check(text, Options::default(), find::needed(text));
    assert_eq!(checked.diagnostics, diagnostics(&db, file), "{name}");
    assert_eq!(find::diagnostics_of(text, &checked), find::diagnostics(&db, file), "{name}");
}

#[test]
fn examples_and_their_prefixes() {
    for (name, text) in examples() {
        agree(&name, &text);
        // Truncated files have many kinds of errors.
        for cut in (0..text.len()).step_by(1 + text.len() / PREFIXES).filter(|&cut| text.is_char_boundary(cut)) {
            agree(&format!("{name}, {cut} bytes of it"), &text[..cut]);
        }
    }
}

#[test]
fn programs_of_the_pages() {
    for page in tile_analysis::diagnostics::PAGES.iter().chain([&&find::PAGE]) {
        agree(page.code, page.wrong);
        agree(page.code, page.right);
    }
}

/// Nesting at and beyond the limit, in a file whose entries are checked on threads with small stacks.
#[test]
fn a_deeply_nested_file() {
    let nested = |depth: usize| format!("{}{}", "if %c {\n".repeat(depth), "}\n".repeat(depth));
    let entry = |number: usize| {
        let depth = if number.is_multiple_of(2) { 126 } else { 20_000 };
        format!("  entry @k{number}(%c: tile<i1>) {{\n{}  }}\n", nested(depth))
    };
    let text = format!("cuda_tile.module @m {{\n{}}}\n", (0..4).map(entry).collect::<String>());
    let checked = batch::check(&text, Options::default(), |_| Keep::Nothing);
    let codes: Vec<&str> = checked.diagnostics.iter().map(|found| found.page.code).collect();
    assert_eq!(codes, ["E0006", "E0006"], "two entries are nested too deeply");
}

/// A file large enough to be checked on several cores, with errors and a duplicate name.
#[test]
fn a_large_file() {
    let entry = |number: usize| {
        let operand = if number % 100 == 7 { "%nothing" } else { "%0" };
        let adds: String = (0..20).map(|add| format!("    %a{add} = addf %0, {operand} : tile<8xf32>\n")).collect();
        format!("  entry @k{}() {{\n    %0 = constant <f32: 1.0> : tile<8xf32>\n{adds}  }}\n", number % 999)
    };
    let text = format!("cuda_tile.module @m {{\n{}}}\n", (0..1000).map(entry).collect::<String>());
    assert!(text.len() > 1 << 19);
    let checked = batch::check(&text, Options::default(), |_| Keep::Nothing);
    assert_eq!(checked.diagnostics.len(), 11, "an unknown value in every hundredth entry, and a duplicate name");
    agree("a large file", &text);
}
