//! What the tests that cross crates share.
//!
//! Each file of `tests/` is about one promise: the direction of dependencies, the pages of the diagnostics, the
//! examples, what a lost token costs, what an edit computes again, bad input, and the editors' grammar.

pub mod gpus;
pub mod modules;
pub mod programs;
pub mod shape;
mod skip;
pub mod tools;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Reports that the running test is skipped, and why: one line a test on standard error.
pub fn skipped(why: impl std::fmt::Display) {
    skip::skipped(why);
}

/// Reports that the running test lacks upstream's test programs, and where to get them.
pub fn skipped_without_upstream() {
    skip::without_upstream();
}

/// The folder of the whole project.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The `tile` program of this build.
pub fn tile() -> &'static Path {
    static TILE: OnceLock<PathBuf> = OnceLock::new();
    TILE.get_or_init(|| {
        // Test programs lie in `target/PROFILE/deps`, the program itself in `target/PROFILE`.
        let own = std::env::current_exe().expect("a test knows its program");
        let folder = own.parent().and_then(Path::parent).expect("it lies in the target folder");
        let profile = folder.file_name().and_then(|name| name.to_str()).expect("it is named after the profile");
        let mut build = Command::new(option_env!("CARGO").unwrap_or("cargo"));
        build.current_dir(root()).args(["build", "--quiet", "--package", "tile"]);
        build.args(["--profile", if profile == "debug" { "dev" } else { profile }]);
        assert!(build.status().expect("cargo runs").success(), "the program builds");
        folder.join(format!("tile{}", std::env::consts::EXE_SUFFIX))
    })
}

/// Every example, by its name from the root, with its text.
pub fn examples() -> Vec<(String, String)> {
    let mut found = Vec::new();
    collect(&root().join("examples"), &mut found);
    found.sort();
    assert!(found.len() >= 8, "the examples are there");
    found
}

fn collect(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("its entries too").path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "tile") {
            let name = path.strip_prefix(root()).expect("it lies below the root").to_string_lossy().into_owned();
            found.push((name, std::fs::read_to_string(&path).expect("an example is text")));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::skip::line;
    use std::collections::BTreeSet;

    #[test]
    fn a_skipped_test_has_one_line() {
        let mut reported = BTreeSet::new();
        let mut lines = |thread| ["no `a`", "no `b`"].map(|why| line(thread, &mut reported, &why));
        assert_eq!(lines(Some("one")), [Some("skipped one: no `a`".to_string()), None]);
        assert_eq!(lines(Some("two")), [Some("skipped two: no `a`".to_string()), None]);
        assert_eq!(lines(Some("main")), ["skipped: no `a`", "skipped: no `b`"].map(|line| Some(line.to_string())));
    }
}
