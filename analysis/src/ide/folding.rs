//! Folding ranges: regions, signatures and comment blocks.

use crate::db::{self, File};
use crate::preview::is_item;
use std::ops::Range;
use tile_syntax::{Node, NodeKind, Tree};

/// A folding range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fold {
    /// The range in bytes of the file, from the first line, which stays visible, to the end of the hidden text.
    pub range: Range<u32>,
    /// Whether it is a comment.
    pub is_comment: bool,
}

/// The folding ranges of a file, in source order. Each spans several lines.
pub fn folds(db: &dyn salsa::Database, file: File) -> Vec<Fold> {
    let text = file.text(db);
    let outline = &db::file_outline(db, file).tree;
    let mut found = Vec::new();
    regions(outline, text, 0, &mut found);
    signatures(outline, text, &mut found);
    comments(outline, text, 0, &mut found);
    for &(start, item) in &db::layout(db, file).items {
        let (tree, text) = (db::syntax(db, item), item.text(db));
        regions(tree, text, start, &mut found);
        comments(tree, text, start, &mut found);
    }
    found.sort_by_key(|fold| fold.range.start);
    found
}

fn spans_lines(text: &str, range: &Range<u32>) -> bool {
    text.as_bytes()[range.start as usize..range.end as usize].contains(&b'\n')
}

/// Folds regions up to the line of the closing brace, which stays visible.
fn regions(tree: &Tree, text: &str, base: u32, found: &mut Vec<Fold>) {
    let nodes = tree.descendants(Node::ROOT).filter(|&node| tree.kind(node) == NodeKind::Region);
    for node in nodes {
        let range = tree.range(node);
        let inside = text[range.start as usize..range.end as usize].rfind('\n');
        let Some(end) = inside.map(|at| range.start + at as u32) else { continue };
        let fold = range.start..end;
        if spans_lines(text, &fold) {
            found.push(Fold { range: fold.start + base..fold.end + base, is_comment: false });
        }
    }
}

/// Folds functions without a body up to their last line, which stays visible.
fn signatures(tree: &Tree, text: &str, found: &mut Vec<Fold>) {
    for node in tree.descendants(Node::ROOT).filter(|&node| is_function(tree, node)) {
        let range = tree.range(node);
        let Some(end) = text[range.start as usize..range.end as usize].rfind('\n') else { continue };
        let fold = range.start..range.start + end as u32;
        if spans_lines(text, &fold) {
            found.push(Fold { range: fold, is_comment: false });
        }
    }
}

fn is_function(tree: &Tree, node: Node) -> bool {
    let row = || tile_dialect::ops().get(tree.slot(node) as usize);
    tree.kind(node) == NodeKind::Op && row().is_some_and(|row| is_item(row.op))
}

/// Folds consecutive full-line comments.
fn comments(tree: &Tree, text: &str, base: u32, found: &mut Vec<Fold>) {
    let comments = tree.tokens.comments();
    let mut index = 0;
    while index < comments.len() {
        let first = index;
        while index + 1 < comments.len() && is_next_line(text, comments[index].1, comments[index + 1].0) {
            index += 1;
        }
        if index > first && is_own_line(text, comments[first].0) {
            let range = comments[first].0 + base..comments[index].1 + base;
            found.push(Fold { range, is_comment: true });
        }
        index += 1;
    }
}

fn is_next_line(text: &str, end: u32, start: u32) -> bool {
    let between = &text[end as usize..start as usize];
    between.trim().is_empty() && between.matches('\n').count() == 1
}

fn is_own_line(text: &str, start: u32) -> bool {
    let before = &text[..start as usize];
    before[before.rfind('\n').map_or(0, |at| at + 1)..].trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    #[test]
    fn functions() {
        let text = "cuda_tile.module @m {\n  preview$func extern @f(\n    %x: tile<f32>,\n    %y: tile<f32>\n  )\n  \
                    preview$func extern @g(%x: tile<f32>)\n}\n";
        let (db, file) = fixture::file(text);
        let found = folds(&db, file);
        assert_eq!(found.len(), 2, "the module and the first function");
        let shown = &text[found[1].range.start as usize..found[1].range.end as usize];
        assert_eq!(shown, "preview$func extern @f(\n    %x: tile<f32>,\n    %y: tile<f32>");
    }

    #[test]
    fn modules_entries_regions_and_comments() {
        let text = "// one\n// two\ncuda_tile.module @m {\n  //@ launch\n  //@ expect print \"\"\n  entry @k() { // same line\n    \
                    if %c {\n      return\n    }\n    if %d { }\n    // alone\n  }\n}\n";
        let (db, file) = fixture::file(text);
        let shown: Vec<&str> = folds(&db, file)
            .into_iter()
            .map(|fold| text[fold.range.start as usize..fold.range.end as usize].lines().last().unwrap_or("").trim())
            .collect();
        assert_eq!(shown, ["// two", "}", "//@ expect print \"\"", "// alone", "return"]);
    }
}
