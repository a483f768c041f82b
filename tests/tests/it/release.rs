//! `.ci/release cut`, in a copy of the files with a version.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// The files that a release changes.
const CHANGED: [&str; 13] = [
    "CHANGELOG.md",
    "Cargo.lock",
    "Cargo.toml",
    "editors/emacs/tile-mode.el",
    "editors/zed/Cargo.lock",
    "editors/zed/Cargo.toml",
    "editors/zed/extension.toml",
    "fuzz/Cargo.lock",
    "grammar/package.json",
    "grammar/tree-sitter.json",
    "vscode-extension/CHANGELOG.md",
    "vscode-extension/package-lock.json",
    "vscode-extension/package.json",
];
const SCRIPTS: [&str; 2] = [".ci/release", ".ci/version.py"];

/// A repository with these files, on the branch `main`. `None` if a program is not installed.
struct Repository(TempDir);

impl Repository {
    fn new() -> Option<Repository> {
        for program in ["git", "python3", "bash"] {
            if Command::new(program).arg("--version").output().is_err() {
                tile_tests::skipped(format_args!("`{program}` is not installed"));
                return None;
            }
        }
        let repository = Repository(tempfile::tempdir().expect("a folder"));
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for file in CHANGED.into_iter().chain(SCRIPTS) {
            let to = repository.0.path().join(file);
            fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
            fs::copy(root.join(file), to).expect("a copy");
        }
        // After a release, the changelogs have no section for the next one.
        for file in ["CHANGELOG.md", "vscode-extension/CHANGELOG.md"] {
            let text = repository.read(file);
            if !text.contains("## Unreleased") {
                repository.write(file, &text.replacen("\n## ", "\n## Unreleased\n\n- A change.\n\n## ", 1));
            }
        }
        // This repository has no benchmarks, so none is out of date.
        repository.write(".ci/benchmarks", "");
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository.commit();
        Some(repository)
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.path().join(file)).expect("the file")
    }

    fn write(&self, file: &str, text: &str) {
        fs::write(self.0.path().join(file), text).expect("a file");
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(program);
        for (name, value) in [("NAME", "A Tester"), ("EMAIL", "tester@example.invalid")] {
            command.env(format!("GIT_AUTHOR_{name}"), value).env(format!("GIT_COMMITTER_{name}"), value);
        }
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        // Set by git in hooks, which can run the tests.
        command.env_remove("GIT_DIR").env_remove("GIT_WORK_TREE").env_remove("GIT_INDEX_FILE");
        command.args(arguments).current_dir(self.0.path()).output().expect("the program starts")
    }

    fn git(&self, arguments: &[&str]) -> String {
        let output = self.run("git", arguments);
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", "Files"]);
    }

    /// Runs a step of a release. Returns its output, or the error.
    fn release(&self, arguments: &[&str]) -> Result<String, String> {
        let output = self.run("bash", &[&[".ci/release"], arguments].concat());
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
    }

    /// Asserts that no release is cut, for this reason, and that nothing changes.
    fn refuses(&self, version: &str, reason: &str) {
        let state =
            || [&["status", "--porcelain"][..], &["rev-parse", "HEAD"], &["tag", "--list"]].map(|x| self.git(x));
        let before = state();
        let error = self.release(&["cut", version]).expect_err("no release is cut");
        assert!(error.starts_with("release: ") && error.contains(reason), "{error}");
        assert_eq!(state(), before);
    }
}

#[test]
fn a_release_sets_the_version_everywhere() {
    let Some(repository) = Repository::new() else { return };
    let old = env!("CARGO_PKG_VERSION");
    repository.release(&["version", &format!("v{old}")]).expect("all files have the same version");
    let printed = repository.release(&["cut", "27.1.0"]).expect("a release");
    assert!(printed.contains("git push --atomic origin main v27.1.0"), "{printed}");
    assert_eq!(repository.git(&["status", "--porcelain"]), "");
    let changed = repository.git(&["diff", "--name-only", "HEAD~", "HEAD"]);
    assert_eq!(changed.lines().collect::<Vec<_>>(), CHANGED);
    assert_eq!(repository.git(&["cat-file", "-t", "v27.1.0"]), "tag\n");
    assert_eq!(repository.git(&["rev-parse", "v27.1.0^{commit}"]), repository.git(&["rev-parse", "HEAD"]));
    repository.release(&["version", "v27.1.0"]).expect("all files have the new version");
    repository.release(&["version", &format!("v{old}")]).expect_err("no file has the old version");
    // In the lock files, all packages without a source are those of this repository.
    for file in CHANGED.into_iter().filter(|file| file.ends_with("Cargo.lock")) {
        for package in repository.read(file).split("[[package]]").skip(1).filter(|text| !text.contains("source = ")) {
            let is_other = package.contains("name = \"tile-fuzz\"");
            assert!(is_other || package.contains("version = \"27.1.0\""), "{file}:{package}");
        }
    }
    let changelog = repository.read("CHANGELOG.md");
    let notes = repository.release(&["notes", "v27.1.0"]).expect("the changelog has the version");
    assert!(
        !changelog.contains("## Unreleased") && changelog.contains(notes.trim()) && notes.contains("\n- "),
        "{notes}"
    );
    repository.refuses("27.1.0", "the tag v27.1.0 exists already");
    repository.refuses("27.1.1", "expected the section `## Unreleased` first in CHANGELOG.md, found `## 27.1.0 - ");
}

#[test]
fn a_release_is_refused_before_anything_changes() {
    let Some(repository) = Repository::new() else { return };
    for version in ["27.1", "v27.1.0", "27.1.0-rc1", "27.01.0", ""] {
        repository.refuses(version, "expected a version such as 1.2.3");
    }
    repository.refuses("0.0.9", "version 0.0.9 is lower than ");
    repository.git(&["checkout", "--quiet", "-b", "other"]);
    repository.refuses("27.1.0", "on the branch main, not on other");
    repository.git(&["checkout", "--quiet", "main"]);
    repository.write("new", "");
    repository.refuses("27.1.0", "the working tree has changes:\n?? new");
    fs::remove_file(repository.0.path().join("new")).expect("the file exists");

    let extension = repository.read("vscode-extension/CHANGELOG.md");
    repository.write("vscode-extension/CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n## 0.0.1\n\n- Old.\n");
    repository.commit();
    repository.refuses("27.1.0", "the section `## Unreleased` in vscode-extension/CHANGELOG.md is empty");
    repository.write("vscode-extension/CHANGELOG.md", &extension);
    let manifest = repository.read("grammar/package.json");
    repository.write("grammar/package.json", &manifest.replace("\"version\": \"", "\"version\": \"9"));
    repository.commit();
    repository.refuses("27.1.0", " in grammar/package.json, found 9");
    repository.write("grammar/package.json", &manifest);
    repository.write(".ci/benchmarks", "import sys\nsys.exit('check: changed since then: tile-syntax')\n");
    repository.commit();
    repository.refuses("27.1.0", "the benchmarks are not current:\ncheck: changed since then: tile-syntax");
    repository.write(".ci/benchmarks", "");
    repository.commit();
    repository.release(&["cut", "27.1.0"]).expect("a release");
}
