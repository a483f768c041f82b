//! Checking a program: all ranges of diagnostics lie within the text, the check of a whole file reports the same as the
//! queries of the database, and a program with a syntax error has an error.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{self, Database, File};
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::program::Program;
use tile_dialect::Version;
use tile_fuzz::{limits, mutate, program, seeds};
use tile_launch::find;

fuzz_target!(init: tile_fuzz::start(seeds::programs), |bytes: &[u8]| {
    limits::text(bytes, |text| _ = check(text));
    let text = String::from_utf8_lossy(bytes);
    let found = check(&text);
    program::assert_diagnostics(&text, &found);
    assert!(program::errors(&found) > 0 || !program::has_syntax_errors(&text), "no syntax error is reported");
    let db = Database::default();
    let file = File::new(&db, Arc::from(&*text), options(&text));
    let mut queried = db::diagnostics(&db, file);
    queried.extend(find::diagnostics(&db, file));
    Diagnostic::sort(&mut queried);
    assert_eq!(found, queried);
    Program::of(&db, file).module();
});

/// Half of the texts are checked against the newest version, a third with the preview.
fn options(text: &str) -> Options {
    let versions = Version::ALL;
    let version = *versions.get(text.len() % (2 * versions.len())).unwrap_or(&Version::NEWEST);
    Options { version, preview: text.len().is_multiple_of(3), ..Options::default() }
}

fn check(text: &str) -> Vec<Diagnostic> {
    find::check(text, options(text))
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::program(data, size, max_size, seed)
});
