//! Formats the upstream test suite and the inputs of the benchmarks, if they are present in `../shared`.

use crate::skip;
use crate::support;

use std::fs;
use std::path::Path;
use support::{checked, checked_widths, collect};

/// Checks every program in a folder of `../shared`; calls `skip` if there are none.
fn check_all(folder: &str, skip: fn()) {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared").join(folder);
    let mut paths = Vec::new();
    collect(&shared, "mlir", &mut paths);
    if paths.is_empty() {
        skip();
    }
    for path in paths {
        let (name, text) = (path.display().to_string(), fs::read_to_string(&path).expect("the file is readable"));
        checked(&name, &text);
        checked_widths(&name, &text);
    }
}

#[test]
fn formatting_preserves_the_upstream_suite() {
    check_all("conformance/upstream", skip::without_upstream);
}

#[test]
fn formatting_preserves_the_benchmark_inputs() {
    let skip = || skip::skipped("no programs in ../shared/bench, which is not part of the project");
    check_all("bench", skip);
}
