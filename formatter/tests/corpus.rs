//! The upstream test-suite and the inputs of the benchmarks, where they lie beside the workspace.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use support::checked;

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "mlir") {
            found.push(path);
        }
    }
}

fn check_all(folder: &str) {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared").join(folder);
    let mut paths = Vec::new();
    collect(&shared, &mut paths);
    if paths.is_empty() {
        eprintln!("skipped: nothing lies in {}", shared.display());
    }
    for path in paths {
        checked(&path.display().to_string(), &fs::read_to_string(&path).expect("a readable file"));
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
