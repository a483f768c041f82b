//! Aliases that are defined after their first use.

use crate::diagnostic::{Diagnostic, Edit, MAX_IN_FILE};
use crate::diagnostics as d;
use rustc_hash::FxHashMap;
use std::ops::Range;
use tile_syntax::{Node, NodeKind, Token, Tree};

/// The aliases that a statement before them could use: their names with `!` or `#`, and the ranges of the names.
pub(super) fn late(tree: &Tree, text: &str) -> Vec<(Box<str>, Range<u32>)> {
    let statements = tree.children(Node::ROOT).skip_while(|&node| tree.kind(node) == NodeKind::Alias);
    let aliases = statements.filter(|&node| tree.kind(node) == NodeKind::Alias);
    aliases.map(|node| (tree.first_text(node, text).into(), name_place(tree, node))).collect()
}

/// Reports aliases that use other aliases before their definitions.
pub(super) fn in_aliases(tree: &Tree, text: &str) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut defined: FxHashMap<&str, Node> = FxHashMap::default();
    let aliases: Vec<Node> = tree.children_of(Node::ROOT, NodeKind::Alias).collect();
    for &node in aliases.iter().rev() {
        if found.len() == MAX_IN_FILE {
            break;
        }
        for token in tree.tokens_of(node).skip(1) {
            let name = tree.tokens.text(token, text);
            if let (Token::TypeName | Token::AttrName, Some(below)) = (tree.tokens.kind(token), defined.get(name)) {
                let place = tree.tokens.start(token)..tree.tokens.end(token);
                found.push(d::early_use(place, name, name_place(tree, *below), moved(tree, text, *below)));
                break;
            }
        }
        defined.insert(tree.first_text(node, text), node);
    }
    found
}

pub(super) fn name_place(tree: &Tree, alias: Node) -> Range<u32> {
    let token = tree.tokens_of(alias).start;
    tree.tokens.start(token)..tree.tokens.end(token)
}

/// The edits that move an alias to the start of the file; empty if it uses another alias, which would have to be moved
/// too.
pub(super) fn moved(tree: &Tree, text: &str, alias: Node) -> Vec<Edit> {
    let Some(first) = tree.children(Node::ROOT).next() else { return Vec::new() };
    let is_alias = |token| {
        let is_name = matches!(tree.tokens.kind(token), Token::TypeName | Token::AttrName);
        is_name && !tree.tokens.text(token, text).contains('.')
    };
    if tree.tokens_of(alias).skip(1).any(is_alias) {
        return Vec::new();
    }
    let (from, to) = (tree.range(alias), tree.range(first).start);
    let content = format!("{}\n", &text[from.start as usize..from.end as usize]);
    let end = from.end + u32::from(text[from.end as usize..].starts_with('\n'));
    vec![Edit { range: to..to, content }, Edit { range: from.start..end, content: String::new() }]
}
