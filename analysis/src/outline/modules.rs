//! The names and attributes of the modules of a file.

use super::{Builder, Outline};
use crate::diagnostics as d;
use crate::read::attr;
use crate::read::dict::{Entry, entries};
use crate::read::value::dict_mistake;
use rustc_hash::FxHashMap;
use std::ops::Range;
use tile_dialect::{AttrKind, DIALECT_PREFIX, Mnemonic};
use tile_syntax::{Node, NodeKind};

impl Outline {
    /// The ranges of the modules, if there is more than one: each has a separate namespace.
    pub(super) fn module_ranges(&self) -> Vec<Range<u32>> {
        if self.more_modules.is_empty() {
            return Vec::new();
        }
        let is_module = |node: &Node| self.tree.slot(*node) == Mnemonic::Module as u8;
        let ops = self.tree.descendants(Node::ROOT).filter(|&node| self.tree.kind(node) == NodeKind::Op);
        ops.filter(is_module).map(|node| self.tree.range(node)).collect()
    }
}

impl Builder<'_> {
    pub(super) fn module(&mut self, node: Node, name: Node, text: &str) {
        if !text.starts_with(DIALECT_PREFIX) {
            self.diagnostics.push(d::module_prefix(self.tree.range(name)));
        }
        if self.module.is_some() {
            self.more_modules.push(self.tree.range(name));
        }
        // Only the first module is used.
        let name = self.symbol_of(node);
        if self.module.is_none() {
            self.module = name;
        }
        self.check_dicts(node);
        self.module_attrs(node);
        self.regions(node, true);
    }

    /// Reads MLIR's `builtin.module`, which can contain a `cuda_tile.module` but no entries.
    pub(super) fn builtin_module(&mut self, node: Node, in_module: bool) {
        self.check_dicts(node);
        let regions = self.tree.children_of(node, NodeKind::Region);
        let misplaced = regions.flat_map(|region| self.tree.children(region)).find(|&child| self.is_symbol(child));
        if let Some(misplaced) = misplaced {
            let start = self.tree.range(misplaced).start;
            let word = self.word_at(start);
            self.diagnostics.push(d::outside_module(start..start + word.len() as u32, word));
        }
        self.regions(node, in_module);
    }

    /// Reports problems in the dictionaries of a module.
    fn check_dicts(&mut self, node: Node) {
        let errors = &self.tree.errors;
        let is_reported = |_: &str, value| {
            let place = self.tree.range(value);
            errors.iter().any(|error| place.start <= error.range.start && error.range.start <= place.end)
        };
        let dicts = self.tree.children(node).filter(|&child| self.tree.kind(child) == NodeKind::Dict);
        let found = dicts.filter_map(|dict| dict_mistake(self.tree, self.text, dict, &self.context, is_reported));
        self.diagnostics.extend(found);
    }

    /// The symbol that an op in custom form defines, and its range.
    fn symbol_of(&self, node: Node) -> Option<(Box<str>, Range<u32>)> {
        let mut attrs = self.tree.children_of(node, NodeKind::Attr);
        let symbol = attrs.find(|&attr| self.tree.first_text(attr, self.text).starts_with('@'))?;
        Some((attr::symbol(self.tree.text(symbol, self.text)), self.tree.range(symbol)))
    }

    /// Reports sibling modules that share a name.
    pub(super) fn module_names(&mut self, parent: Node) {
        let mut seen = FxHashMap::default();
        for node in self.tree.children_of(parent, NodeKind::Op) {
            let name = self.tree.child(node, NodeKind::OpName).map(|name| self.tree.text(name, self.text));
            let is_module = name.is_some_and(|name| name.rsplit('.').next() == Some("module"));
            let Some((name, place)) = self.symbol_of(node).filter(|_| is_module) else { continue };
            match seen.get(&name) {
                Some(earlier) => {
                    self.diagnostics.push(d::duplicate_symbol(place, &name, Range::clone(earlier)));
                }
                None => _ = seen.insert(name, place),
            }
        }
    }

    /// Reads the attributes in the dictionary of a module and, in generic form, in its properties. Versions that do not
    /// support `producer` treat it as a discardable attribute.
    fn module_attrs(&mut self, node: Node) {
        for Entry { name, node: entry, value } in entries(self.tree, self.text, node) {
            let Some((_, attr)) = Mnemonic::Module.row().attr_named(name) else { continue };
            let Some(value) = value else {
                self.diagnostics.push(d::missing_value(self.tree.range(entry), name));
                continue;
            };
            let place = self.tree.range(value);
            match (attr.kind, self.tree.first_text(value, self.text)) {
                (AttrKind::SymbolName, text) if self.module.is_none() => {
                    self.module = Some((text.trim_matches('"').into(), place));
                }
                (AttrKind::Str, text) if text.starts_with('"') => {
                    self.producer.get_or_insert_with(|| attr::unescape(text));
                }
                (AttrKind::Str, text) => {
                    let found = d::malformed_attribute(self.tree.range(value), "a string", text);
                    self.diagnostics.push(found);
                }
                _ => {}
            }
        }
    }
}
