//! The tests of the grammar. They do not need the tree-sitter command line.
//!
//! `TILE_BLESS=1 cargo test -p tree-sitter-tile` rewrites the trees in `test/corpus/`.

mod corpus;
mod highlight;
mod queries;
mod recovery;

use std::fs;
use std::path::{Path, PathBuf};

use tree_sitter::{Language, Parser, Tree};

/// The crate's folder.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The grammar.
fn language() -> Language {
    tree_sitter_tile::LANGUAGE.into()
}

/// A parser of the grammar.
fn parser() -> Parser {
    let mut parser = Parser::new();
    parser.set_language(&language()).expect("the grammar loads");
    parser
}

/// Parses a text.
fn parse(text: impl AsRef<[u8]>) -> Tree {
    parser().parse(text, None).expect("no limit is set")
}

/// The files of a folder with this extension, sorted by name.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = root().join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a folder entry").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no .{extension} files in {}", folder.display());
    files
}

/// The names of all ops in a tree, in order of their start.
fn op_names<'text>(tree: &Tree, text: &'text str) -> Vec<&'text str> {
    let mut names = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.kind() == "op_name" {
            names.push(&text[node.byte_range()]);
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return names;
            }
        }
    }
}

#[test]
fn the_grammar_loads_everywhere() {
    // Neovim before 0.11 supports no newer version.
    assert_eq!(language().abi_version(), 14);
    assert_eq!(parse("").root_node().kind(), "source_file");
}

#[test]
fn the_grammar_names_no_op() {
    let rules = fs::read_to_string(root().join("grammar.js")).expect("grammar.js");
    let rules: String = rules.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    for op in ["entry", "module", "global", "constant", "for", "if", "loop", "return", "yield", "addf", "reduce"] {
        for quote in ['\'', '"'] {
            assert!(!rules.contains(&format!("{quote}{op}{quote}")), "grammar.js names the op {op}");
        }
    }
}
