//! The upstream test-suite and the inputs of the benchmarks, where they lie beside the workspace.

mod support;

use std::fs;
use std::io::Write;
use std::path::Path;
use support::{checked, checked_widths, collect};

fn check_all(folder: &str) {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared").join(folder);
    let mut paths = Vec::new();
    collect(&shared, "mlir", &mut paths);
    if paths.is_empty() {
        // Not by `eprintln!`, whose text tests that pass keep to themselves.
        let _ = writeln!(std::io::stderr(), "skipped: nothing lies in {}", shared.display());
    }
    for path in paths {
        let (name, text) = (path.display().to_string(), fs::read_to_string(&path).expect("a readable file"));
        checked(&name, &text);
        checked_widths(&name, &text);
    }
}

#[test]
fn the_upstream_suite_is_kept() {
    check_all("conformance/upstream");
}

#[test]
fn the_inputs_of_the_benchmarks_are_kept() {
    check_all("bench");
}
