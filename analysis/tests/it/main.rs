//! Integration tests of the front end.

mod actions;
mod cases;
mod ide;
mod no_panic;
mod shown;
mod trees;

use std::path::{Path, PathBuf};

/// Collects the programs in a folder and its subfolders.
fn programs(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("the folder exists");
    for path in entries.map(|entry| entry.expect("the folder is readable").path()) {
        if path.is_dir() {
            programs(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "tile") {
            found.push(path);
        }
    }
}
