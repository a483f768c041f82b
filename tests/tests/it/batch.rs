//! Checking a file as a whole finds what the queries of the database find.

use std::sync::Arc;
use tile_analysis::batch::{self, Keep};
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File, diagnostics};
use tile_launch::find;
use tile_tests::examples;

/// What both ways find in a program, launches included.
fn agree(name: &str, text: &str) {
    let db = Database::default();
    let file = File::new(&db, Arc::from(text), Options::default());
    let checked = batch::check(text, Options::default(), |start| {
        if find::has_directives(text, start) { Keep::Everything } else { Keep::Nothing }
    });
    assert_eq!(checked.diagnostics, diagnostics(&db, file), "{name}");
    assert_eq!(find::diagnostics_of(text, &checked), find::diagnostics(&db, file), "{name}");
}

#[test]
fn the_examples_and_every_cut_of_them() {
    for (name, text) in examples() {
        agree(&name, &text);
        // A file cut short has mistakes of many kinds.
        for cut in (0..text.len()).step_by(97).filter(|&cut| text.is_char_boundary(cut)) {
            agree(&format!("{name}, {cut} bytes of it"), &text[..cut]);
        }
    }
}

#[test]
fn the_programs_of_the_pages() {
    for page in tile_analysis::diagnostics::PAGES.iter().chain([&&find::PAGE]) {
        agree(page.code, page.wrong);
        agree(page.code, page.right);
    }
}

/// Nesting as deep as is allowed, and deeper, in a file whose entries are checked on threads with small stacks.
#[test]
fn a_large_file_that_is_nested_deeply() {
    let nested = |depth: usize| format!("{}{}", "if %c {\n".repeat(depth), "}\n".repeat(depth));
    let entry = |number: usize| {
        let depth = if number.is_multiple_of(2) { 126 } else { 20_000 };
        format!("  entry @k{number}(%c: tile<i1>) {{\n{}  }}\n", nested(depth))
    };
    let text = format!("cuda_tile.module @m {{\n{}}}\n", (0..4).map(entry).collect::<String>());
    let checked = batch::check(&text, Options::default(), |_| Keep::Nothing);
    let codes: Vec<&str> = checked.diagnostics.iter().map(|found| found.page.code).collect();
    assert_eq!(codes, ["E0006", "E0006"], "the two that are nested too deeply");
}

/// A file that is large enough to be shared out among the cores, with mistakes in it and a name that comes twice.
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
    assert_eq!(checked.diagnostics.len(), 11, "an unknown value in each hundredth entry, and one name twice");
    agree("a large file", &text);
}
