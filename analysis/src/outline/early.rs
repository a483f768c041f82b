//! Uses of aliases above their definitions.

use super::Outline;
use crate::diagnostic::{Diagnostic, Edit};
use crate::diagnostics as d;
use rustc_hash::FxHashMap;
use std::ops::Range;
use tile_syntax::{Node, NodeKind, Token, Tree, lex};

/// The type aliases and attribute aliases with something above them that may use them: their names with `!` or `#`, and
/// where these stand. Locations may come later than their uses.
pub(super) fn late(tree: &Tree, text: &str, is_attribute: impl Fn(&str) -> bool) -> Vec<(Box<str>, Range<u32>)> {
    let statements = tree.children(Node::ROOT).skip_while(|&node| tree.kind(node) == NodeKind::Alias);
    let aliases = statements.filter(|&node| tree.kind(node) == NodeKind::Alias);
    let named = aliases.map(|node| (tree.first_text(node, text), name_place(tree, node)));
    let late = named.filter(|(name, _)| name.strip_prefix('#').is_none_or(&is_attribute));
    late.map(|(name, place)| (name.into(), place)).collect()
}

/// Aliases that use others which are defined below them.
pub(super) fn in_aliases(tree: &Tree, text: &str) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut defined: FxHashMap<&str, Range<u32>> = FxHashMap::default();
    let aliases: Vec<Node> = tree.children_of(Node::ROOT, NodeKind::Alias).collect();
    for &node in aliases.iter().rev() {
        for token in tree.tokens_of(node).skip(1) {
            let name = tree.tokens.text(token, text);
            if let (Token::TypeName | Token::AttrName, Some(below)) = (tree.tokens.kind(token), defined.get(name)) {
                let place = tree.tokens.start(token)..tree.tokens.end(token);
                found.push(d::early_use(place, name, below.clone(), moved(tree, text, below.start)));
                break;
            }
        }
        defined.insert(tree.first_text(node, text), name_place(tree, node));
    }
    found
}

impl Outline {
    /// The first use of each alias above its definition.
    pub(crate) fn early_uses(&self, text: &str) -> Vec<Diagnostic> {
        let found = self.late_aliases.iter().filter_map(|(name, definition)| {
            let above = &text[..definition.start as usize];
            let use_of = above.match_indices(&**name).find(|&(at, _)| is_use(text, at, name))?.0 as u32;
            let place = use_of..use_of + name.len() as u32;
            Some(d::early_use(place, name, definition.clone(), moved(&self.tree, text, definition.start)))
        });
        found.collect()
    }
}

/// Whether a name is a token, and not in a comment or a string. No token spans lines.
fn is_use(text: &str, at: usize, name: &str) -> bool {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line = &text[start..];
    let line = &line[..line.find('\n').unwrap_or(line.len())];
    let tokens = lex(line);
    let token = tokens.at((at - start) as u32);
    token < tokens.len() && tokens.start(token) as usize == at - start && tokens.text(token, line) == name
}

fn name_place(tree: &Tree, alias: Node) -> Range<u32> {
    let token = tree.tokens_of(alias).start;
    tree.tokens.start(token)..tree.tokens.end(token)
}

/// The edits that move the alias that stands at `start` above everything else.
fn moved(tree: &Tree, text: &str, start: u32) -> Vec<Edit> {
    let alias = tree.children_of(Node::ROOT, NodeKind::Alias).find(|&node| tree.range(node).start == start);
    let (Some(alias), Some(first)) = (alias, tree.children(Node::ROOT).next()) else { return Vec::new() };
    let (from, to) = (tree.range(alias), tree.range(first).start);
    let content = format!("{}\n", &text[from.start as usize..from.end as usize]);
    let end = from.end + u32::from(text[from.end as usize..].starts_with('\n'));
    vec![Edit { range: to..to, content }, Edit { range: from.start..end, content: String::new() }]
}
