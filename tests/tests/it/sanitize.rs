//! The sanitizer: each launch of the programs in `sanitize/` has exactly the finding that it expects, or none.

use std::path::{Path, PathBuf};
use std::process::Command;
use tile_tests::tile;

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sanitize");
    let folders = [folder.join("before-13.5"), folder];
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("the folder exists"));
    let paths = entries.map(|entry| entry.expect("the folder is readable").path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|end| end == "tile")).collect();
    paths.sort();
    paths
}

#[test]
fn every_launch_has_the_finding_that_it_expects() {
    let mut launches = 0;
    for path in programs() {
        let output = Command::new(tile()).arg("test").arg(&path).output().expect("the program runs");
        let report = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}:\n{report}", path.display());
        launches += report.lines().filter(|line| line.starts_with("ok ")).count();
    }
    assert!(launches > 200, "only {launches} launches ran");
}

/// The expected findings: the lines marked with a code in a comment.
fn marked(text: &str) -> Vec<(usize, String)> {
    let code = |line: &str| line.rsplit_once("// ").map(|(_, code)| code.to_string());
    let marks = text.lines().enumerate().filter_map(|(index, line)| Some((index + 1, code(line)?)));
    marks.filter(|(_, code)| code.len() == 5 && code.starts_with('R')).collect()
}

/// The lines and codes of the reported findings.
fn shown(report: &str) -> Vec<(usize, String)> {
    let mut lines = report.lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        let Some((code, _)) = line.strip_prefix("error[").and_then(|rest| rest.split_once(']')) else { continue };
        let line_number =
            lines.next().and_then(|location| location.rsplit(':').nth(1)).and_then(|row| row.parse().ok());
        found.push((line_number.expect("a finding has a line number"), code.to_string()));
    }
    found
}

#[test]
fn every_finding_is_at_the_marked_op() {
    let folder = tempfile::tempdir().expect("a temporary folder is created");
    for path in programs() {
        let text = std::fs::read_to_string(&path).expect("the file is readable");
        let without_expectations: Vec<&str> =
            text.lines().map(|line| if line.contains("//@ expect error") { "//" } else { line }).collect();
        let copy = folder.path().join(path.file_name().expect("a file has a name"));
        std::fs::write(&copy, without_expectations.join("\n")).expect("the file is written");
        let config = folder.path().join("tile.toml");
        match std::fs::read(path.with_file_name("tile.toml")) {
            Ok(text) => std::fs::write(&config, text).expect("the file is written"),
            Err(_) => _ = std::fs::remove_file(&config),
        }
        let output = Command::new(tile()).arg("test").arg(&copy).output().expect("the program runs");
        let mut found = shown(&String::from_utf8_lossy(&output.stdout));
        found.sort();
        assert_eq!(found, marked(&text), "{}", path.display());
    }
}

#[test]
fn a_finding_names_both_ops() {
    let folder = tempfile::tempdir().expect("a temporary folder is created");
    let path = folder.path().join("program.tile");
    let page =
        tile_engine::findings::PAGES.iter().find(|page| page.name == "unordered-accesses").expect("the page exists");
    std::fs::write(&path, page.wrong).expect("the file is written");
    let output = Command::new(tile()).arg("run").arg("--sanitize").arg(&path).output().expect("the program runs");
    let report = String::from_utf8_lossy(&output.stderr);
    for part in
        ["this writes element 0 of `%p`, which another op reads", "this reads it", "load_ptr_tko", "store_ptr_tko"]
    {
        assert!(report.contains(part), "{part:?} in\n{report}");
    }
}
