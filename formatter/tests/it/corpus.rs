//! The upstream test suite and the inputs of the benchmarks, if they are next to the workspace.

use crate::skip;
use crate::support;

use std::fs;
use std::path::Path;
use support::{checked, checked_widths, collect};

/// Checks every program in a folder of `../shared`. If the folder is missing, calls `skip`.
fn check_all(folder: &str, skip: fn()) {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared").join(folder);
    let mut paths = Vec::new();
    collect(&shared, "mlir", &mut paths);
    if paths.is_empty() {
        skip();
    }
    for path in paths {
        let (name, text) = (path.display().to_string(), fs::read_to_string(&path).expect("a readable file"));
        checked(&name, &text);
        checked_widths(&name, &text);
    }
}

#[test]
fn the_upstream_suite_is_kept() {
    check_all("conformance/upstream", skip::without_upstream);
}

#[test]
fn the_inputs_of_the_benchmarks_are_kept() {
    let skip = || skip::skipped("no programs in ../shared/bench, which are not part of the project");
    check_all("bench", skip);
}
