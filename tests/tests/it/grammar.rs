//! The tree-sitter grammar and our parser find the same ops.

use std::path::Path;
use tile_syntax::{NodeKind, PieceKind, Tree, parse_item, parse_outline, split};
use tile_tests::{examples, root};

/// The names of a file's ops with their offsets, sorted, according to our parser.
fn ours(text: &str) -> Vec<(usize, String)> {
    let pieces = split(text);
    let mut found = names(&parse_outline(text, &pieces), text, 0);
    for piece in pieces.into_iter().filter(|piece| piece.kind == PieceKind::Item) {
        found.extend(names(&parse_item(&text[piece.range.clone()]), &text[piece.range.clone()], piece.range.start));
    }
    found.sort();
    found
}

fn names(tree: &Tree, text: &str, offset: usize) -> Vec<(usize, String)> {
    let nodes = tree.descendants(tile_syntax::Node::ROOT).filter(|&node| tree.kind(node) == NodeKind::OpName);
    nodes.map(|node| (tree.range(node).start as usize + offset, tree.text(node, text).to_string())).collect()
}

/// The same according to the tree-sitter grammar.
fn theirs(text: &str) -> Vec<(usize, String)> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_tile::LANGUAGE.into()).expect("the grammar's ABI version is supported");
    let tree = parser.parse(text, None).expect("parsing is not cancelled");
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.kind() == "op_name" && !node.is_missing() {
            found.push((node.start_byte(), text[node.byte_range()].to_string()));
        }
        if cursor.goto_first_child() || cursor.goto_next_sibling() {
            continue;
        }
        loop {
            if !cursor.goto_parent() {
                return found;
            }
            if cursor.goto_next_sibling() {
                break;
            }
        }
    }
}

#[test]
fn both_find_the_same_ops_in_the_examples() {
    for (name, text) in examples() {
        assert_eq!(theirs(&text), ours(&text), "{name}");
    }
}

/// Programs of the SIMT preview, and one with the ops and types of 13.5.
#[test]
fn both_find_the_same_ops_in_programs_of_13_5() {
    let folder = root().join("tests/preview");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder exists")
        .map(|it| it.expect("the folder is readable").path())
        .collect();
    paths.push(root().join("examples/all_reduce.tile"));
    for path in paths.iter().filter(|path| path.extension().is_some_and(|it| it == "tile")) {
        let text = std::fs::read_to_string(path).expect("the program is readable");
        assert_eq!(theirs(&text), ours(&text), "{}", path.display());
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&tree_sitter_tile::LANGUAGE.into()).expect("the grammar's ABI version is supported");
        let tree = parser.parse(&text, None).expect("parsing is not cancelled");
        assert!(!tree.root_node().has_error(), "{}: {}", path.display(), tree.root_node().to_sexp());
    }
}

#[test]
fn both_find_the_same_ops_in_upstreams_valid_programs() {
    let folder = root().join("../shared/conformance/upstream/CudaTile");
    if !folder.is_dir() {
        return tile_tests::skipped_without_upstream();
    }
    for file in ["arith", "conversion", "memory_consistency_ops", "ops", "syntax_omit_dialect_prefix", "types"] {
        let path = Path::new(&folder).join(file).with_extension("mlir");
        let text = std::fs::read_to_string(&path).expect("the file is readable");
        assert_eq!(theirs(&text), ours(&text), "{file}");
    }
}

#[test]
fn the_name_of_an_entry_may_be_on_a_later_line() {
    let text = "cuda_tile.module @m {\n  entry\n  @a() {\n  }\n  entry // (b) {\n    // and more\n    @b(%x: tile<i32>) {\n    %y = addi %x, %x : tile<i32>\n  }\n}\n";
    let names: Vec<String> = ours(text).into_iter().map(|(_, name)| name).collect();
    assert_eq!(names, ["cuda_tile.module", "entry", "entry", "addi"]);
    assert_eq!(ours(text), theirs(text));
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_tile::LANGUAGE.into()).expect("the grammar's ABI version is supported");
    assert!(!parser.parse(text, None).expect("parsing is not cancelled").root_node().has_error());
}
