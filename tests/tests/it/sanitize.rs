//! The sanitizer: each launch of the programs in `sanitize/` has the finding that it expects, or none.

use std::path::{Path, PathBuf};
use std::process::Command;
use tile_tests::tile;

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sanitize");
    let folders = [folder.join("before-13.5"), folder];
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("the folder is there"));
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|end| end == "tile")).collect();
    paths.sort();
    paths
}

#[test]
fn every_launch_has_the_finding_that_it_expects() {
    let mut launches = 0;
    for path in programs() {
        let output = Command::new(tile()).arg("test").arg(&path).output().expect("the program runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}:\n{said}", path.display());
        launches += said.lines().filter(|line| line.starts_with("ok ")).count();
    }
    assert!(launches > 200, "only {launches} launches ran");
}

/// Where findings are expected: the lines that say so in a comment, with the code.
fn marked(text: &str) -> Vec<(usize, String)> {
    let code = |line: &str| line.rsplit_once("// ").map(|(_, code)| code.to_string());
    let marks = text.lines().enumerate().filter_map(|(index, line)| Some((index + 1, code(line)?)));
    marks.filter(|(_, code)| code.len() == 5 && code.starts_with('R')).collect()
}

/// Where findings are shown: their lines, with the code.
fn shown(said: &str) -> Vec<(usize, String)> {
    let mut lines = said.lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        let Some((code, _)) = line.strip_prefix("error[").and_then(|rest| rest.split_once(']')) else { continue };
        let place = lines.next().and_then(|place| place.rsplit(':').nth(1)).and_then(|row| row.parse().ok());
        found.push((place.expect("a finding has a place"), code.to_string()));
    }
    found
}

#[test]
fn every_finding_is_at_the_op_that_is_marked() {
    let folder = tempfile::tempdir().expect("a folder for the programs");
    for path in programs() {
        let text = std::fs::read_to_string(&path).expect("it is there");
        let open: Vec<&str> =
            text.lines().map(|line| if line.contains("//@ expect error") { "//" } else { line }).collect();
        let copy = folder.path().join(path.file_name().expect("a file has a name"));
        std::fs::write(&copy, open.join("\n")).expect("it takes a file");
        let config = folder.path().join("tile.toml");
        match std::fs::read(path.with_file_name("tile.toml")) {
            Ok(text) => std::fs::write(&config, text).expect("it takes a file"),
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
    let folder = tempfile::tempdir().expect("a folder for the program");
    let path = folder.path().join("program.tile");
    let page = tile_engine::findings::PAGES.iter().find(|page| page.name == "unordered-accesses").expect("it is there");
    std::fs::write(&path, page.wrong).expect("it takes a file");
    let output = Command::new(tile()).arg("run").arg("--sanitize").arg(&path).output().expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr);
    for part in
        ["this writes element 0 of `%p`, which another op reads", "this reads it", "load_ptr_tko", "store_ptr_tko"]
    {
        assert!(said.contains(part), "{part:?} in\n{said}");
    }
}
