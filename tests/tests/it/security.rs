//! `SECURITY.md` names existing tests, all direct dependencies, and all files with unsafe code.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tile_tests::{crate_folders, root};

fn page() -> String {
    fs::read_to_string(root().join("SECURITY.md")).expect("the file exists")
}

/// The cells of the rows of the table below a heading.
fn table(heading: &str) -> Vec<Vec<String>> {
    let page = page();
    let below = page.split(&format!("## {heading}\n")).nth(1).unwrap_or_else(|| panic!("no heading `{heading}`"));
    let section = below.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter(|line| line.starts_with('|')).skip(2);
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect()).collect()
}

/// The links in a text: the words and the target.
fn links(text: &str) -> Vec<(String, String)> {
    let ends = text.match_indices("](");
    let link = |(at, _): (usize, &str)| {
        let words = text[..at].rsplit('[').next()?;
        Some((words.trim_matches('`').to_string(), text[at + 2..].split(')').next()?.to_string()))
    };
    ends.filter_map(link).collect()
}

#[test]
fn every_promise_has_tests_that_exist() {
    let promises = table("Promises");
    assert!(promises.len() > 10);
    for row in &promises {
        let tests = links(&row[1]);
        assert!(!tests.is_empty(), "`{}` has no test", row[0]);
        for (name, path) in tests {
            let text = fs::read_to_string(root().join(&path)).unwrap_or_else(|error| panic!("{path}: {error}"));
            assert!(text.contains(&format!("fn {name}(")), "{path} has no test `{name}`");
        }
    }
}

#[test]
fn links_lead_to_files() {
    for (_, path) in links(&page()).into_iter().filter(|(_, path)| !path.starts_with("http")) {
        let file = path.split('#').next().unwrap_or_default();
        assert!(file.is_empty() || root().join(file).exists(), "{path}");
    }
}

/// The external crates in the tables of a manifest, with the name of the package.
fn dependencies(manifest: &toml::Table, shared: &toml::Table) -> BTreeSet<String> {
    let own = [manifest].into_iter().chain(
        manifest
            .get("target")
            .and_then(|all| all.as_table())
            .into_iter()
            .flat_map(|all| all.values().filter_map(|one| one.as_table())),
    );
    let kinds = ["dependencies", "build-dependencies", "dev-dependencies"];
    let tables = own.flat_map(|table| kinds.iter().filter_map(|kind| table.get(*kind)?.as_table()));
    let is_ours = |name: &str| name == "tile" || name.starts_with("tile-") || name == "tree-sitter-tile";
    let package = |name: &str| {
        let renamed = shared.get(name).and_then(|found| found.get("package")?.as_str());
        renamed.unwrap_or(name).to_string()
    };
    tables.flat_map(|table| table.keys()).filter(|name| !is_ours(name)).map(|name| package(name)).collect()
}

#[test]
fn every_direct_dependency_is_listed() {
    let read = |path: &Path| -> toml::Table {
        fs::read_to_string(path).expect("a manifest").parse().expect("the manifest is valid TOML")
    };
    let workspace = read(&root().join("Cargo.toml"));
    let shared = workspace["workspace"]["dependencies"].as_table().expect("a table");
    let folders = crate_folders().into_iter();
    let used: BTreeSet<String> =
        folders.flat_map(|folder| dependencies(&read(&root().join(folder).join("Cargo.toml")), shared)).collect();
    let listed: Vec<String> = table("Dependencies").iter().map(|row| row[0].trim_matches('`').to_string()).collect();
    assert_eq!(used.into_iter().collect::<Vec<_>>(), listed);
}

/// Adds the files below a folder that contain unsafe code.
fn find_unsafe(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() && !["target", "tests", "node_modules", ".git", "fuzz"].contains(&&*name.to_string_lossy()) {
            find_unsafe(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a readable file");
            if text.contains("unsafe {") {
                let path = path.strip_prefix(root()).expect("the file is in the repository");
                found.insert(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
}

#[test]
fn all_unsafe_code_is_listed() {
    let mut found = BTreeSet::new();
    find_unsafe(root(), &mut found);
    let listed: BTreeSet<String> =
        table("Unsafe code").iter().flat_map(|row| links(&row[0])).map(|(_, path)| path).collect();
    assert_eq!(found, listed);
}
