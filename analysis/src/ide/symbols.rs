//! Document symbols: modules, globals, entries, functions, aliases.

use crate::db::{self, File};
use crate::outline::Outline;
use crate::preview::is_item;
use std::ops::Range;
use tile_dialect::Mnemonic;
use tile_syntax::{NO_SLOT, Node, NodeKind};

/// A symbol of the file. Ranges are in bytes of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The name, with its sign.
    pub name: String,
    /// The type, or the parameter types.
    pub detail: String,
    /// The kind.
    pub kind: SymbolKind,
    /// The range of the whole definition.
    pub range: Range<u32>,
    /// The range of the name.
    pub selection: Range<u32>,
    /// The symbols inside a module.
    pub children: Vec<Symbol>,
}

/// The kind of a [`Symbol`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymbolKind {
    /// A module.
    Module,
    /// An entry.
    Entry,
    /// A global.
    Global,
    /// A type alias.
    Alias,
    /// A function of the SIMT preview: a declaration or an implementation.
    Function,
}

/// The symbols of a file, in source order.
pub fn symbols(db: &dyn salsa::Database, file: File) -> Vec<Symbol> {
    let outline = db::file_outline(db, file);
    Builder { db, file, outline, text: file.text(db) }.statements(Node::ROOT)
}

struct Builder<'db> {
    db: &'db dyn salsa::Database,
    file: File,
    outline: &'db Outline,
    text: &'db str,
}

impl Builder<'_> {
    fn statements(&self, parent: Node) -> Vec<Symbol> {
        let tree = &self.outline.tree;
        let mut found = Vec::new();
        for node in tree.children(parent) {
            match tree.kind(node) {
                NodeKind::Item => found.extend(self.item(node)),
                NodeKind::Alias => found.extend(self.alias(node)),
                NodeKind::Op if tree.slot(node) == Mnemonic::Global as u8 => found.extend(self.global(node)),
                NodeKind::Op if tree.slot(node) == Mnemonic::Module as u8 => found.push(self.module(node)),
                NodeKind::Op if is_function(tree.slot(node)) => found.extend(self.function(node)),
                NodeKind::Op if tree.slot(node) == NO_SLOT => found.extend(self.regions(node)),
                _ => {}
            }
        }
        found
    }

    fn regions(&self, node: Node) -> Vec<Symbol> {
        let tree = &self.outline.tree;
        tree.children_of(node, NodeKind::Region).flat_map(|region| self.statements(region)).collect()
    }

    /// The name of a module or a global: its first attribute that starts with `@`.
    fn name(&self, node: Node) -> Option<Node> {
        let tree = &self.outline.tree;
        tree.children_of(node, NodeKind::Attr).find(|&attr| tree.first_text(attr, self.text).starts_with('@'))
    }

    fn module(&self, node: Node) -> Symbol {
        let tree = &self.outline.tree;
        let name = self.name(node).or_else(|| tree.child(node, NodeKind::OpName)).unwrap_or(node);
        Symbol {
            name: tree.text(name, self.text).to_string(),
            detail: "module".to_string(),
            kind: SymbolKind::Module,
            range: tree.range(node),
            selection: tree.range(name),
            children: self.regions(node),
        }
    }

    fn global(&self, node: Node) -> Option<Symbol> {
        let tree = &self.outline.tree;
        let name = self.name(node)?;
        let ty = tree.child(node, NodeKind::Type);
        Some(Symbol {
            name: tree.text(name, self.text).to_string(),
            detail: ty.map_or("", |ty| tree.text(ty, self.text)).to_string(),
            kind: SymbolKind::Global,
            range: tree.range(node),
            selection: tree.range(name),
            children: Vec::new(),
        })
    }

    fn function(&self, node: Node) -> Option<Symbol> {
        let tree = &self.outline.tree;
        let name = self.name(node)?;
        let params = tree.child(node, NodeKind::Signature).into_iter().flat_map(|signature| {
            tree.children_of(signature, NodeKind::Param).map(|param| tree.child(param, NodeKind::Type))
        });
        let types: Vec<&str> = params.map(|ty| ty.map_or("?", |ty| tree.text(ty, self.text))).collect();
        Some(Symbol {
            name: tree.text(name, self.text).to_string(),
            detail: format!("({})", types.join(", ")),
            kind: SymbolKind::Function,
            range: tree.range(node),
            selection: tree.range(name),
            children: Vec::new(),
        })
    }

    fn alias(&self, node: Node) -> Option<Symbol> {
        let tree = &self.outline.tree;
        let ty = tree.child(node, NodeKind::Type)?;
        let token = tree.tokens_of(node).start;
        Some(Symbol {
            name: tree.first_text(node, self.text).to_string(),
            detail: tree.text(ty, self.text).to_string(),
            kind: SymbolKind::Alias,
            range: tree.range(node),
            selection: tree.tokens.start(token)..tree.tokens.end(token),
            children: Vec::new(),
        })
    }

    fn item(&self, node: Node) -> Option<Symbol> {
        let range = self.outline.tree.range(node);
        let items = &db::layout(self.db, self.file).items;
        let index = items.binary_search_by_key(&range.start, |(start, _)| *start).ok()?;
        let (start, item) = items[index];
        let lowered = db::lowered(self.db, item, self.file);
        let name = &lowered.spans.name;
        if name.is_empty() {
            return None;
        }
        let written = &item.text(self.db)[name.start as usize..name.end as usize];
        let args = lowered.body.regions[0].args.iter();
        let types: Vec<String> = args.map(|&value| lowered.body.ty(value).to_string()).collect();
        Some(Symbol {
            name: written.to_string(),
            detail: format!("({})", types.join(", ")),
            kind: SymbolKind::Entry,
            range,
            selection: name.start + start..name.end + start,
            children: Vec::new(),
        })
    }
}

fn is_function(slot: u8) -> bool {
    tile_dialect::ops().get(slot as usize).is_some_and(|row| is_item(row.op))
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    fn show(symbols: &[Symbol], indent: usize, out: &mut String) {
        for symbol in symbols {
            let Symbol { name, detail, kind, .. } = symbol;
            *out += &format!("{:indent$}{kind:?} {name} {detail}\n", "");
            show(&symbol.children, indent + 2, out);
        }
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let (db, file) = fixture::file(text);
        let mut shown = String::new();
        show(&symbols(&db, file), 0, &mut shown);
        assert_eq!(shown, expected);
    }

    #[test]
    fn of_a_module() {
        check(
            "!t = tile<8xi32>\ncuda_tile.module @m {\n  global @g <f32: [1.0]> : tile<1xf32>\n  entry @k(%p: tile<ptr<f32>>, \
             %n: tile<i32>) {\n  }\n}\n",
            "Alias !t tile<8xi32>\nModule @m module\n  Global @g tile<1xf32>\n  Entry @k (tile<ptr<f32>>, tile<i32>)\n",
        );
    }

    #[test]
    fn of_functions() {
        check(
            "cuda_tile.module @m {\n  preview$func extern @f<[N: index]>(%x: tile<[N]xf32>, tile<i32>) -> tile<[N]xf32>\n  \
             preview$extern_impl @f_impl implements @f(%x: preview$fragment<1xf32>)\n  entry @k() {\n  }\n}\n",
            "Module @m module\n  Function @f (tile<[N]xf32>, tile<i32>)\n  \
             Function @f_impl (preview$fragment<1xf32>)\n  Entry @k ()\n",
        );
    }

    #[test]
    fn of_a_broken_file() {
        check(
            "cuda_tile.module @m {\n  entry @a(%p: ) {\n    %x = nope\n  entry @b() {\n    %y = \n",
            "Module @m module\n  Entry @a (?)\n  Entry @b ()\n",
        );
        check("", "");
    }
}
