//! The aliases of attributes: `#unit = dense<1.0> : !cuda_tile.tile<8xf32>`, and `#loc3 = loc(…)`.

use crate::context::{AttrAlias, Context};
use crate::debug_info::{DebugId, FileDebug};
use crate::diagnostic::{Diagnostic, MAX_IN_FILE};
use crate::diagnostics as d;
use crate::read::location;
use crate::read::value::value_mistake;
use rustc_hash::{FxHashMap, FxHashSet};
use tile_syntax::{Node, NodeKind, Token, Tree};

/// The attribute aliases of a file, with the nodes of their values.
fn values<'a>(text: &'a str, tree: &'a Tree) -> impl Iterator<Item = (&'a str, Node)> {
    tree.children_of(Node::ROOT, NodeKind::Alias).filter_map(|node| {
        let name = tree.first_text(node, text).strip_prefix('#')?;
        Some((name, tree.child(node, NodeKind::AttrValue)?))
    })
}

/// The attribute aliases that are neither locations nor debug attributes, with their values. An alias of another alias
/// is resolved.
pub(super) fn attributes(text: &str, tree: &Tree) -> FxHashMap<Box<str>, AttrAlias> {
    let values: FxHashMap<&str, Node> = values(text, tree).collect();
    let mut resolved: FxHashMap<&str, Option<Node>> = FxHashMap::default();
    for &name in values.keys() {
        let (mut path, mut next) = (Vec::new(), name);
        // Each alias is followed only once; a cyclic one has no value.
        let end = loop {
            if let Some(&known) = resolved.get(next) {
                break known;
            }
            let Some(&value) = values.get(next) else { break None };
            path.push(next);
            resolved.insert(next, None);
            match other_alias(tree.text(value, text)) {
                Some(other) => next = other,
                None => break Some(value),
            }
        };
        resolved.extend(path.into_iter().map(|name| (name, end)));
    }
    let resolved = resolved.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let resolved = resolved.filter(|&(_, value)| !location::is_debug(tree, text, value));
    let alias = |value| AttrAlias { text: tree.text(value, text).into(), is_sound: true };
    resolved.map(|(name, value)| (name.into(), alias(value))).collect()
}

/// Reports invalid values of these aliases, except for values with syntax errors.
pub(super) fn mistakes(text: &str, tree: &Tree, context: &mut Context) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (name, value) in values(text, tree) {
        let (place, written) = (tree.range(value), tree.text(value, text));
        let first_error = tree.errors.partition_point(|error| error.range.start < place.start);
        let is_broken = tree.errors.get(first_error).is_some_and(|error| error.range.start < place.end);
        if is_broken || !context.attr_aliases.contains_key(name) || other_alias(written).is_some() {
            continue;
        }
        let Some(mistake) = value_mistake(tree, text, value, context) else { continue };
        found.push(mistake);
        if found.len() == MAX_IN_FILE {
            break;
        }
        let same = context.attr_aliases.values_mut().filter(|alias| *alias.text == *written);
        same.for_each(|alias| alias.is_sound = false);
    }
    found
}

/// The name of the alias that a value consists of. A name with a dot is not an alias but an attribute of a dialect.
fn other_alias(value: &str) -> Option<&str> {
    let name = value.strip_prefix('#')?;
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'-');
    name.bytes().all(is_name).then_some(name)
}

/// Reads the debug aliases of a file: all except `others`. They can be used before their definitions.
pub(super) fn debug(
    text: &str,
    tree: &Tree,
    others: &FxHashMap<Box<str>, AttrAlias>,
    diagnostics: &mut Vec<Diagnostic>,
) -> FileDebug {
    let values: FxHashMap<&str, Node> = values(text, tree).filter(|(name, _)| !others.contains_key(*name)).collect();
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
    /// The aliases that are being resolved, for detecting cycles.
    open: FxHashSet<&'a str>,
}

impl<'a> Resolver<'a> {
    /// Reads the aliases that an alias needs, then the alias itself. Uses a stack instead of recursion, because chains
    /// of aliases can be long.
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
            if let Some(cycle) = needed.iter().find(|needed| self.open.contains(*needed)) {
                diagnostics.push(d::circular_alias(self.tree.range(value), &format!("#{cycle}")));
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

    /// The aliases in a value that have not been read yet.
    fn needed(&self, value: Node) -> impl Iterator<Item = &'a str> + use<'a, '_> {
        let tokens = self.tree.tokens_of(value).filter(|&token| self.tree.tokens.kind(token) == Token::AttrName);
        let names = tokens.map(|token| self.tree.tokens.text(token, self.text).trim_start_matches('#'));
        names.filter(|name| self.values.contains_key(name) && !self.known.aliases.contains_key(*name))
    }
}
