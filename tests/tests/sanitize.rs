//! The sanitizer: each launch of the programs in `sanitize/` has the finding that it expects, or none.

use std::path::{Path, PathBuf};
use std::process::Command;
use tile_tests::tile;

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sanitize");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be read").path()).collect();
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
    assert!(launches > 80, "only {launches} launches ran");
}

#[test]
fn a_finding_names_both_ops() {
    let folder = tempfile::tempdir().expect("a folder for the program");
    let path = folder.path().join("program.tile");
    let page =
        tile_backend::findings::PAGES.iter().find(|page| page.name == "unordered-accesses").expect("it is there");
    std::fs::write(&path, page.wrong).expect("it takes a file");
    let output = Command::new(tile()).arg("run").arg("--sanitize").arg(&path).output().expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr);
    for part in
        ["this writes element 0 of `%p`, which another op reads", "this reads it", "load_ptr_tko", "store_ptr_tko"]
    {
        assert!(said.contains(part), "{part:?} in\n{said}");
    }
}
