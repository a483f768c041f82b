//! The direction of dependencies: which room may know which.

use tile_tests::root;

/// Each crate's folder, and which of our crates it may depend on.
const ROOMS: [(&str, &[&str]); 14] = [
    ("input", &[]),
    ("config", &["tile-input"]),
    ("dialect", &[]),
    ("syntax", &["tile-dialect"]),
    ("analysis", &["tile-dialect", "tile-syntax"]),
    ("formatter", &["tile-input", "tile-config", "tile-dialect", "tile-syntax"]),
    ("launch", &["tile-input", "tile-dialect", "tile-analysis"]),
    ("engine", &["tile-input", "tile-dialect", "tile-analysis"]),
    ("backend", &["tile-input", "tile-dialect", "tile-syntax", "tile-analysis", "tile-launch", "tile-engine"]),
    (
        "lsp",
        &[
            "tile-input",
            "tile-config",
            "tile-dialect",
            "tile-syntax",
            "tile-analysis",
            "tile-fmt",
            "tile-launch",
            "tile-backend",
        ],
    ),
    ("dap", &["tile-input", "tile-analysis", "tile-launch", "tile-engine", "tile-backend"]),
    (
        "cli",
        &[
            "tile-input",
            "tile-config",
            "tile-dialect",
            "tile-syntax",
            "tile-analysis",
            "tile-fmt",
            "tile-launch",
            "tile-engine",
            "tile-backend",
            "tile-lsp",
            "tile-dap",
        ],
    ),
    ("grammar", &[]),
    ("tests", &["tile-dialect", "tile-analysis"]),
];

/// Crates of others that only these rooms may use: what the design keeps in one place.
const KEPT: [(&str, &[&str]); 6] = [
    ("salsa", &["analysis", "lsp"]),
    ("tower-lsp", &["lsp"]),
    ("tokio", &["lsp"]),
    ("ropey", &["lsp"]),
    ("tree-sitter", &["grammar"]),
    ("clap", &["formatter", "cli"]),
];

fn dependencies(folder: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(folder).join("Cargo.toml")).expect("every room has a manifest");
    let manifest: toml::Table = text.parse().expect("it is valid");
    let table = manifest.get("dependencies").and_then(|table| table.as_table());
    table.map(|table| table.keys().cloned().collect()).unwrap_or_default()
}

#[test]
fn a_room_knows_only_the_rooms_below_it() {
    for (folder, allowed) in ROOMS {
        for dependency in dependencies(folder) {
            let ours = dependency == "tile" || dependency.starts_with("tile-") || dependency == "tree-sitter-tile";
            assert!(!ours || allowed.contains(&dependency.as_str()), "`{folder}` must not know `{dependency}`");
        }
    }
}

#[test]
fn what_one_room_is_for_stays_in_it() {
    for (folder, _) in ROOMS {
        for dependency in dependencies(folder) {
            let rooms = KEPT.iter().find(|(name, _)| *name == dependency).map(|(_, rooms)| *rooms);
            assert!(rooms.is_none_or(|rooms| rooms.contains(&folder)), "`{dependency}` does not belong in `{folder}`");
        }
    }
}

#[test]
fn every_crate_is_a_room() {
    let text = std::fs::read_to_string(root().join("Cargo.toml")).expect("the workspace has a manifest");
    let manifest: toml::Table = text.parse().expect("it is valid");
    let members = manifest["workspace"]["members"].as_array().expect("it lists members").iter();
    let mut members: Vec<&str> = members.filter_map(|member| member.as_str()).collect();
    let mut rooms = ROOMS.map(|(folder, _)| folder).to_vec();
    members.sort_unstable();
    rooms.sort_unstable();
    assert_eq!(members, rooms);
}

#[test]
fn every_crate_says_what_it_must_not_know() {
    for (folder, _) in ROOMS.into_iter().filter(|(folder, _)| !matches!(*folder, "grammar" | "tests")) {
        let file = if folder == "cli" { "src/main.rs" } else { "src/lib.rs" };
        let text = std::fs::read_to_string(root().join(folder).join(file)).expect("a crate has a root");
        let head: String = text.lines().take_while(|line| line.starts_with("//!")).collect();
        assert!(head.contains("Invariant"), "{folder}/{file} states its invariants");
    }
}

/// A new op is one row and needs no change of the editors' grammar.
#[test]
fn the_editors_grammar_names_no_op() {
    let grammar = std::fs::read_to_string(root().join("grammar/grammar.js")).expect("the grammar is there");
    for row in tile_dialect::ops() {
        let quoted = [format!("'{}'", row.name), format!("\"{}\"", row.name)];
        assert!(!quoted.iter().any(|name| grammar.contains(name)), "`{}` stands in grammar.js", row.name);
    }
}
