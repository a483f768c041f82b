//! The worked example of each op: it has no diagnostics, is formatted, and prints what its comments state.

use std::process::Command;
use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File, diagnostics};
use tile_dialect::{Group, OpRow, Version, ops};
use tile_tests::tile;

fn found(row: &OpRow) -> Vec<String> {
    let db = Database::default();
    let options = Options {
        version: row.since.max(Version::NEWEST),
        upstream_tests: row.group == Group::Testing,
        preview: row.is_preview(),
        ..Options::default()
    };
    let found = diagnostics(&db, File::new(&db, Arc::from(row.example_program()), options));
    found.into_iter().map(|found| format!("{}: {}", found.page.code, found.message)).collect()
}

#[test]
fn examples_have_no_diagnostics() {
    for row in ops() {
        assert_eq!(found(row), [""; 0], "{}:\n{}", row.name, row.example_program());
    }
}

#[test]
fn examples_are_formatted() {
    for row in ops() {
        let program = row.example_program();
        assert_eq!(tile_fmt::format(&program, &tile_fmt::Options::default()), program, "{}", row.name);
    }
}

#[test]
fn examples_print_what_their_comments_state() {
    let folder = tempfile::tempdir().expect("a temporary folder is created");
    // The engine cannot run functions of the upstream tests and of tile libraries.
    let runs = |row: &&&'static OpRow| row.group != Group::Testing && !row.is_preview() && row.since <= Version::NEWEST;
    for row in ops().iter().filter(runs) {
        let path = folder.path().join("example.tile");
        std::fs::write(&path, row.example_program()).expect("the file is written");
        let output = Command::new(tile()).arg("run").arg("--sanitize").arg(&path).output().expect("the program runs");
        let expected: Vec<&str> = row.example().lines().filter_map(|line| line.strip_prefix("// prints ")).collect();
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(printed.lines().collect::<Vec<_>>(), expected, "{}", row.name);
        assert!(output.status.success(), "{}: {}", row.name, String::from_utf8_lossy(&output.stderr));
    }
}
