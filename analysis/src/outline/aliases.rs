//! The aliases of locations and debug attributes: `#loc3 = loc(…)`.

use crate::debug_info::{DebugId, FileDebug};
use crate::diagnostic::Diagnostic;
use crate::diagnostics as d;
use crate::lower::location;
use rustc_hash::{FxHashMap, FxHashSet};
use tile_syntax::{Node, NodeKind, Token, Tree};

/// Reads the debug aliases of a file. They may be used before they are defined, and by each other.
pub(super) fn debug(text: &str, tree: &Tree, diagnostics: &mut Vec<Diagnostic>) -> FileDebug {
    let nodes = tree.children_of(Node::ROOT, NodeKind::Alias);
    let values = nodes.filter_map(|node| {
        let name = tree.first_text(node, text).strip_prefix('#')?;
        let value = tree.child(node, NodeKind::AttrValue)?;
        location::is_debug(tree, text, value).then_some((name, value))
    });
    let values: FxHashMap<&str, Node> = values.collect();
    let mut resolver =
        Resolver { text, tree, values: &values, known: FileDebug::default(), open: FxHashSet::default() };
    for node in tree.children_of(Node::ROOT, NodeKind::Alias) {
        if let Some(name) = tree.first_text(node, text).strip_prefix('#') {
            resolver.resolve(name, diagnostics);
        }
    }
    resolver.known
}

struct Resolver<'a> {
    text: &'a str,
    tree: &'a Tree,
    values: &'a FxHashMap<&'a str, Node>,
    known: FileDebug,
    /// The aliases on the way to the one that is being read.
    open: FxHashSet<&'a str>,
}

impl<'a> Resolver<'a> {
    /// Reads what an alias needs before the alias itself. A chain of aliases may be long, so this does not recurse.
    fn resolve(&mut self, name: &'a str, diagnostics: &mut Vec<Diagnostic>) {
        let mut stack = vec![name];
        while let Some(&name) = stack.last() {
            let value = self.values.get(name).copied().filter(|_| !self.known.aliases.contains_key(name));
            let Some(value) = value else {
                stack.pop();
                continue;
            };
            let first = self.open.insert(name);
            let needed: Vec<&str> = if first { self.needed(value).collect() } else { Vec::new() };
            if let Some(circle) = needed.iter().find(|needed| self.open.contains(*needed)) {
                diagnostics.push(d::circular_alias(self.tree.range(value), &format!("#{circle}")));
                self.known.aliases.insert(name.into(), DebugId::UNKNOWN);
            } else if needed.is_empty() {
                let id = location::read(self.tree, self.text, value, &mut self.known, diagnostics);
                self.known.aliases.insert(name.into(), id);
            }
            if self.known.aliases.contains_key(name) {
                self.open.remove(name);
                stack.pop();
            } else {
                stack.extend(needed);
            }
        }
    }

    /// The aliases in a value that are not read yet.
    fn needed(&self, value: Node) -> impl Iterator<Item = &'a str> + use<'a, '_> {
        let tokens = self.tree.tokens_of(value).filter(|&token| self.tree.tokens.kind(token) == Token::AttrName);
        let names = tokens.map(|token| self.tree.tokens.text(token, self.text).trim_start_matches('#'));
        names.filter(|name| self.values.contains_key(name) && !self.known.aliases.contains_key(*name))
    }
}
