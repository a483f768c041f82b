//! Shared code of the tests across crates.
//!
//! Each file in `tests/it/` checks one property: the direction of dependencies, the pages of the diagnostics, the
//! examples, recovery from a lost token, incremental checking, the editors' grammar and more.

pub mod differential;
pub mod evaluate;
pub mod generate;
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

/// The root folder of the repository.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The folders of the crates of the workspace, sorted. One of its members, `crates/*`, is several.
pub fn crate_folders() -> Vec<String> {
    let text = std::fs::read_to_string(root().join("Cargo.toml")).expect("the workspace has a manifest");
    let manifest: toml::Table = text.parse().expect("the manifest is valid TOML");
    let members = manifest["workspace"]["members"].as_array().expect("the workspace lists its members");
    let mut folders = Vec::new();
    for member in members.iter().filter_map(|member| member.as_str()) {
        let Some(parent) = member.strip_suffix("/*") else {
            folders.push(member.to_string());
            continue;
        };
        let names = std::fs::read_dir(root().join(parent)).expect("a folder").flatten().map(|entry| entry.path());
        let crates = names.filter(|path| path.join("Cargo.toml").exists());
        folders.extend(crates.filter_map(|path| Some(format!("{parent}/{}", path.file_name()?.to_str()?))));
    }
    folders.sort_unstable();
    folders
}

/// The `tile` program of this build. Builds it unless it is up to date: `cargo test --workspace` has built it, but
/// `cargo build --package tile` would build all libraries again, since it enables fewer of their features. The variable
/// `TILE_PROGRAM` names another one, as for tests on a system without cargo.
pub fn tile() -> &'static Path {
    static TILE: OnceLock<PathBuf> = OnceLock::new();
    TILE.get_or_init(|| {
        if let Some(program) = std::env::var_os("TILE_PROGRAM") {
            return program.into();
        }
        // Test programs are in `target/PROFILE/deps`, `tile` is in `target/PROFILE`.
        let own = std::env::current_exe().expect("the path of the test program is known");
        let folder = own.parent().and_then(Path::parent).expect("the test program is in `target/PROFILE/deps`");
        let program = folder.join(format!("tile{}", std::env::consts::EXE_SUFFIX));
        if !is_up_to_date(&program) {
            let profile =
                folder.file_name().and_then(|name| name.to_str()).expect("the folder is named after the profile");
            let mut build = Command::new(option_env!("CARGO").unwrap_or("cargo"));
            build.current_dir(root()).args(["build", "--quiet", "--package", "tile"]);
            build.args(["--profile", if profile == "debug" { "dev" } else { profile }]);
            assert!(build.status().expect("cargo runs").success(), "cannot build `tile`");
        }
        program
    })
}

/// Whether a program is newer than its sources, and than the manifest and lock file of the workspace.
fn is_up_to_date(program: &Path) -> bool {
    let modified = |path: &Path| path.metadata().and_then(|it| it.modified()).ok();
    let Some(built) = modified(program) else { return false };
    listed_sources(program)
        .unwrap_or_else(all_sources)
        .into_iter()
        .chain(["Cargo.toml", "Cargo.lock"].map(|name| root().join(name)))
        .all(|source| modified(&source).is_some_and(|time| time <= built))
}

/// The sources of a program, which `cargo build`, but not `cargo test`, lists in a file next to it.
fn listed_sources(program: &Path) -> Option<Vec<PathBuf>> {
    let listed = std::fs::read_to_string(program.with_extension("d")).ok()?;
    let (_, sources) = listed.split_once(": ")?;
    let sources = sources.replace("\\ ", "\0");
    Some(sources.split_whitespace().map(|source| PathBuf::from(source.replace('\0', " "))).collect())
}

/// The sources of all other crates of the workspace.
fn all_sources() -> Vec<PathBuf> {
    let folders = crate_folders();
    let crates = folders.iter().filter(|folder| *folder != "tests").map(|folder| root().join(folder));
    let mut found = Vec::new();
    for folder in crates {
        found.extend(["Cargo.toml", "build.rs"].map(|name| folder.join(name)).into_iter().filter(|path| path.exists()));
        if folder.join("src").is_dir() {
            collect_files(&folder.join("src"), &mut found);
        }
    }
    found
}

/// Every example: its path relative to the root, with slashes, and its text.
pub fn examples() -> Vec<(String, String)> {
    let mut found = Vec::new();
    collect(&root().join("examples"), &mut found);
    found.sort();
    assert!(found.len() >= 8, "only {} examples found", found.len());
    found
}

/// Adds the programs in a folder and its subfolders.
fn collect(folder: &Path, found: &mut Vec<(String, String)>) {
    let mut paths = Vec::new();
    collect_files(folder, &mut paths);
    for path in paths.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "tile")) {
        let name = path.strip_prefix(root()).expect("below the root").to_string_lossy().replace('\\', "/");
        found.push((name, std::fs::read_to_string(&path).expect("the example is readable")));
    }
}

/// Adds the files in a folder and its subfolders.
fn collect_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder is readable") {
        let path = entry.expect("the folder is readable").path();
        if path.is_dir() {
            collect_files(&path, files);
        } else {
            files.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::skip::line;
    use std::collections::BTreeSet;

    #[test]
    fn a_skipped_test_prints_one_line() {
        let mut reported = BTreeSet::new();
        let mut lines = |thread| ["no `a`", "no `b`"].map(|why| line(thread, &mut reported, &why));
        assert_eq!(lines(Some("one")), [Some("skipped one: no `a`".to_string()), None]);
        assert_eq!(lines(Some("two")), [Some("skipped two: no `a`".to_string()), None]);
        assert_eq!(lines(Some("main")), ["skipped: no `a`", "skipped: no `b`"].map(|line| Some(line.to_string())));
    }
}
