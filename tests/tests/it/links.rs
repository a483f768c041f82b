//! The links to the repository in the manifests.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The files with links.
const FILES: [&str; 4] =
    ["Cargo.toml", "vscode-extension/package.json", "editors/zed/extension.toml", "grammar/tree-sitter.json"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn a_release_sets_all_links() {
    let copy = std::env::temp_dir().join(format!("tile-links-{}", std::process::id()));
    for file in FILES.into_iter().chain([".ci/release"]) {
        let to = copy.join(file);
        std::fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        std::fs::copy(root().join(file), to).expect("a copy");
    }
    let new = "https://example.com/other/name";
    let set = |url: &str| {
        let mut command = Command::new("bash");
        command.arg(copy.join(".ci/release")).args(["links", url]).output().expect("bash").status.success()
    };
    assert!(!set("example.com") && !set("https://example.com/"), "not the URL of a repository");
    assert!(set(new));
    for file in FILES {
        let text = std::fs::read_to_string(copy.join(file)).expect("the file");
        assert!(text.contains(new) && !text.contains("example.invalid"), "{file}:\n{text}");
    }
    std::fs::remove_dir_all(&copy).expect("the folder is ours");
}
