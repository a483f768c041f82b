//! The direction of dependencies between crates.

use tile_tests::root;

/// The folder of each crate, and the workspace crates that it may depend on.
const CRATES: [(&str, &[&str]); 26] = [
    ("clock", &[]),
    ("input", &[]),
    ("config", &["tile-input"]),
    ("dialect", &[]),
    ("syntax", &["tile-dialect"]),
    ("analysis", &["tile-dialect", "tile-syntax"]),
    ("files", &["tile-input", "tile-config", "tile-syntax"]),
    ("formatter", &["tile-config", "tile-dialect", "tile-syntax", "tile-files"]),
    ("launch", &["tile-input", "tile-dialect", "tile-analysis"]),
    ("dataflow", &["tile-input", "tile-dialect", "tile-analysis"]),
    ("diff", &["tile-dialect", "tile-analysis"]),
    ("engine", &["tile-clock", "tile-input", "tile-dialect", "tile-analysis"]),
    (
        "runner",
        &["tile-clock", "tile-input", "tile-dialect", "tile-analysis", "tile-launch", "tile-dataflow", "tile-engine"],
    ),
    ("bytecode", &["tile-dialect", "tile-analysis"]),
    ("optimizer", &["tile-dialect", "tile-syntax", "tile-analysis", "tile-engine"]),
    (
        "backend",
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
    ("tuner", &["tile-input", "tile-dialect", "tile-syntax", "tile-analysis", "tile-launch", "tile-backend"]),
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
    ("dap", &["tile-input", "tile-analysis", "tile-launch", "tile-engine", "tile-backend"]),
    (
        "commands",
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
    ("cli", &["tile-commands", "tile-fmt"]),
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
    ("clap", &["formatter", "commands", "cli"]),
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
    let text = std::fs::read_to_string(root().join("Cargo.toml")).expect("the workspace has a manifest");
    let manifest: toml::Table = text.parse().expect("the manifest is valid TOML");
    let members = manifest["workspace"]["members"].as_array().expect("the workspace lists its members").iter();
    let mut members: Vec<&str> = members.filter_map(|member| member.as_str()).collect();
    let mut crates = CRATES.map(|(folder, _)| folder).to_vec();
    members.sort_unstable();
    crates.sort_unstable();
    assert_eq!(members, crates);
}

#[test]
fn every_crate_states_its_invariants() {
    for (folder, _) in
        CRATES.into_iter().filter(|(folder, _)| !matches!(*folder, "grammar" | "tests" | "tests/budgets"))
    {
        let file = if folder == "cli" { "src/main.rs" } else { "src/lib.rs" };
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
