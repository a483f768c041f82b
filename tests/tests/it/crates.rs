//! The direction of dependencies between crates.

use tile_tests::{crate_folders, root};

/// The folder of each crate, and the workspace crates that it may depend on.
const CRATES: [(&str, &[&str]); 26] = [
    ("crates/clock", &[]),
    ("crates/input", &[]),
    ("crates/config", &["tile-input"]),
    ("crates/dialect", &[]),
    ("crates/syntax", &["tile-dialect"]),
    ("analysis", &["tile-dialect", "tile-syntax"]),
    ("crates/files", &["tile-input", "tile-config", "tile-syntax"]),
    ("formatter", &["tile-config", "tile-dialect", "tile-syntax", "tile-files"]),
    ("crates/launch", &["tile-input", "tile-dialect", "tile-analysis"]),
    ("crates/dataflow", &["tile-input", "tile-dialect", "tile-analysis"]),
    ("crates/diff", &["tile-dialect", "tile-analysis"]),
    ("crates/engine", &["tile-clock", "tile-input", "tile-dialect", "tile-analysis"]),
    (
        "crates/runner",
        &["tile-clock", "tile-input", "tile-dialect", "tile-analysis", "tile-launch", "tile-dataflow", "tile-engine"],
    ),
    ("crates/bytecode", &["tile-dialect", "tile-analysis"]),
    ("crates/optimizer", &["tile-dialect", "tile-syntax", "tile-analysis", "tile-engine"]),
    (
        "crates/backend",
        &[
            "tile-clock",
            "tile-input",
            "tile-dialect",
            "tile-syntax",
            "tile-analysis",
            "tile-launch",
            "tile-dataflow",
            "tile-engine",
            "tile-runner",
            "tile-bytecode",
        ],
    ),
    ("crates/tuner", &["tile-input", "tile-dialect", "tile-syntax", "tile-analysis", "tile-launch", "tile-backend"]),
    (
        "lsp",
        &[
            "tile-input",
            "tile-config",
            "tile-dialect",
            "tile-syntax",
            "tile-analysis",
            "tile-files",
            "tile-fmt",
            "tile-launch",
            "tile-dataflow",
            "tile-opt",
            "tile-runner",
            "tile-backend",
            "tile-tune",
        ],
    ),
    ("crates/dap", &["tile-input", "tile-analysis", "tile-launch", "tile-engine", "tile-backend"]),
    (
        "crates/commands",
        &[
            "tile-input",
            "tile-config",
            "tile-dialect",
            "tile-syntax",
            "tile-analysis",
            "tile-files",
            "tile-fmt",
            "tile-launch",
            "tile-dataflow",
            "tile-diff",
            "tile-engine",
            "tile-backend",
            "tile-tune",
            "tile-lsp",
            "tile-opt",
            "tile-dap",
        ],
    ),
    ("crates/cli", &["tile-commands", "tile-fmt"]),
    (
        "playground",
        &[
            "tile-clock",
            "tile-analysis",
            "tile-fmt",
            "tile-launch",
            "tile-dataflow",
            "tile-engine",
            "tile-runner",
            "tile-bytecode",
        ],
    ),
    ("grammar", &[]),
    (
        "python",
        &["tile-dialect", "tile-analysis", "tile-fmt", "tile-launch", "tile-dataflow", "tile-engine", "tile-backend"],
    ),
    ("tests", &["tile-dialect", "tile-analysis", "tile-launch", "tile-engine", "tile-backend"]),
    ("tests/budgets", &["tile-dialect", "tile-analysis", "tile-engine", "tile-playground"]),
];

/// External crates that only the listed crates may use.
const RESTRICTED: [(&str, &[&str]); 7] = [
    ("salsa", &["analysis", "lsp"]),
    ("tower-lsp", &["lsp"]),
    ("tokio", &["lsp"]),
    ("ropey", &["lsp"]),
    ("tree-sitter", &["grammar"]),
    ("clap", &["formatter", "crates/commands", "crates/cli"]),
    ("pyo3", &["python"]),
];

fn dependencies(folder: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(folder).join("Cargo.toml")).expect("every crate has a manifest");
    let manifest: toml::Table = text.parse().expect("the manifest is valid TOML");
    let table = manifest.get("dependencies").and_then(|table| table.as_table());
    table.map(|table| table.keys().cloned().collect()).unwrap_or_default()
}

#[test]
fn a_crate_depends_only_on_crates_below_it() {
    for (folder, allowed) in CRATES {
        for dependency in dependencies(folder) {
            let ours = dependency == "tile" || dependency.starts_with("tile-") || dependency == "tree-sitter-tile";
            assert!(!ours || allowed.contains(&dependency.as_str()), "`{folder}` must not depend on `{dependency}`");
        }
    }
}

#[test]
fn external_crates_stay_where_they_belong() {
    for (folder, _) in CRATES {
        for dependency in dependencies(folder) {
            let crates = RESTRICTED.iter().find(|(name, _)| *name == dependency).map(|(_, crates)| *crates);
            assert!(
                crates.is_none_or(|crates| crates.contains(&folder)),
                "`{dependency}` does not belong in `{folder}`"
            );
        }
    }
}

#[test]
fn every_crate_is_listed() {
    let mut crates = CRATES.map(|(folder, _)| folder).to_vec();
    crates.sort_unstable();
    assert_eq!(crate_folders(), crates);
}

#[test]
fn the_readme_lists_every_crate() {
    let readme = std::fs::read_to_string(root().join("crates/README.md")).expect("the readme exists");
    let rows = readme.lines().filter_map(|line| line.strip_prefix("| [")?.split_once(']'));
    let listed: Vec<&str> = rows.map(|(name, _)| name).collect();
    let mut folders: Vec<&str> = CRATES.iter().filter_map(|(folder, _)| folder.strip_prefix("crates/")).collect();
    folders.sort_unstable();
    assert_eq!(listed, folders);
}

#[test]
fn every_crate_states_its_invariants() {
    for (folder, _) in
        CRATES.into_iter().filter(|(folder, _)| !matches!(*folder, "grammar" | "tests" | "tests/budgets"))
    {
        let file = if folder == "crates/cli" { "src/main.rs" } else { "src/lib.rs" };
        let text = std::fs::read_to_string(root().join(folder).join(file)).expect("the crate has a root file");
        let head: String = text.lines().take_while(|line| line.starts_with("//!")).collect();
        assert!(head.contains("Invariant"), "{folder}/{file} does not state its invariants");
    }
}

/// A new op is one row of the table and needs no change to the tree-sitter grammar.
#[test]
fn the_editors_grammar_names_no_op() {
    let grammar = std::fs::read_to_string(root().join("grammar/grammar.js")).expect("the grammar exists");
    for row in tile_dialect::ops() {
        let quoted = [format!("'{}'", row.name), format!("\"{}\"", row.name)];
        assert!(!quoted.iter().any(|name| grammar.contains(name)), "grammar.js contains `{}`", row.name);
    }
}
