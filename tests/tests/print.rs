//! What is printed reads back as the same program.

use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File, diagnostics, layout, lowered, module};
use tile_analysis::diagnostic::Severity;
use tile_analysis::ir::{Body, Module};
use tile_analysis::print::{self, Style};
use tile_dialect::{Mnemonic, Version};
use tile_tests::{examples, upstream_chunks};

const UPSTREAM: Options = Options { version: Version::NEWEST, upstream_tests: true };

fn errors(text: &str, options: Options) -> Vec<String> {
    let db = Database::default();
    let file = File::new(&db, Arc::from(text), options);
    let found = diagnostics(&db, file).into_iter().filter(|found| found.page.severity == Severity::Error);
    found.map(|found| format!("{}: {}", found.range.start, found.message)).collect()
}

/// A program without what cannot matter to it: the names of parameters.
fn nameless(mut program: Module) -> Module {
    for entry in &mut program.entries {
        let body = Arc::make_mut(entry);
        body.params.iter_mut().for_each(|name| *name = "".into());
    }
    program
}

fn lower(text: &str) -> Module {
    let db = Database::default();
    module(&db, File::new(&db, Arc::from(text), Options::default()))
}

#[test]
fn every_example_reads_back_in_both_forms() {
    for (name, text) in examples() {
        let program = nameless(lower(&text));
        for style in [Style::Custom, Style::Generic] {
            let options = print::Options { style, ..print::Options::default() };
            let printed = print::module(&program, options);
            assert_eq!(errors(&printed, Options::default()), [""; 0], "{name} as {style:?}:\n{printed}");
            let again = nameless(lower(&printed));
            assert!(again == program, "{name} as {style:?} has another meaning:\n{printed}");
            assert_eq!(print::module(&again, options), printed, "{name} as {style:?} changes when it is printed again");
        }
    }
}

/// The entries and test functions of a file, with the kind of each.
fn items(text: &str) -> Vec<(Mnemonic, Body)> {
    let db = Database::default();
    let file = File::new(&db, Arc::from(text), UPSTREAM);
    let items = layout(&db, file).items.iter().map(|&(_, item)| lowered(&db, item, file));
    items
        .map(|lowered| {
            let mut body = Body::clone(&lowered.body);
            body.params.iter_mut().for_each(|name| *name = "".into());
            (lowered.op, body)
        })
        .collect()
}

/// Whether a text holds what has no place in the IR: ops of other dialects, and functions in generic form.
fn has_no_ir(text: &str) -> bool {
    let generic = text.lines().filter_map(|line| line.split_once('"').filter(|(_, rest)| rest.contains("\"(")));
    let mut names =
        generic.filter(|(before, _)| before.trim().is_empty() || before.ends_with("= ")).map(|(_, rest)| rest);
    names.any(|name| !name.starts_with("cuda_tile.") || name.starts_with("cuda_tile.entry"))
}

#[test]
fn upstreams_valid_programs_read_back_in_both_forms() {
    let Some(chunks) = upstream_chunks() else { return };
    let (mut count, mut wrong) = (0, Vec::new());
    for (name, text) in chunks {
        let items = items(&text);
        if items.is_empty() || has_no_ir(&text) || !errors(&text, UPSTREAM).is_empty() {
            continue;
        }
        let program = Module { entries: Vec::new(), ..lower(&text) };
        for style in [Style::Custom, Style::Generic] {
            let options = print::Options { style, ..print::Options::default() };
            let body: String = items.iter().map(|(op, body)| print::item(*op, body, options)).collect();
            let globals = print::module(&program, options);
            let printed = globals.strip_suffix("}\n").expect("a module ends").to_string() + &body + "}\n";
            let found = errors(&printed, UPSTREAM);
            if !found.is_empty() {
                wrong.push(format!("{name} as {style:?}: {found:?}\n{printed}"));
            } else if self::items(&printed) != items {
                wrong.push(format!("{name} as {style:?} has another meaning:\n{text}\n{printed}"));
            }
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{} of {count}\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 200, "only {count} programs were tried");
}
