//! The outline of a file: modules, globals and aliases, and the context that they provide for the items.

mod aliases;
mod early;
mod globals;
mod late_aliases;
mod modules;

use crate::context::{Context, Declarations, Options};
use crate::debug_info::Lookup;
use crate::diagnostic::{Diagnostic, Edit, MAX_IN_FILE, TOO_MANY};
use crate::diagnostics as d;
use crate::ir::Global;
use crate::lower::repair::missing_marks;
use crate::lower::{lower_loose, version};
use crate::preview::{self, Declared};
use crate::read::location::{self, BodyStore};
use crate::read::ty;
use crate::types::Type;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;
use tile_dialect::{Mnemonic, ops};
use tile_syntax::{ErrorKind, NO_SLOT, Node, NodeKind, Piece, SyntaxError, Token, Tree, parse_outline};

/// The outline of a file. Ranges are relative to the start of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// Its tree; each item is one token.
    pub tree: Tree,
    /// The context of the items.
    pub context: Context,
    /// The globals with the ranges of their names, in source order.
    pub globals: Vec<(Global, Range<u32>)>,
    /// The functions without a body, in source order.
    pub(crate) functions: Vec<Declared>,
    /// The program that wrote the module.
    pub producer: Option<Box<[u8]>>,
    /// The module's name and its range, if there is a module.
    pub module: Option<(Box<str>, Range<u32>)>,
    /// The ranges of the names of further modules, after or inside the first one.
    pub more_modules: Vec<Range<u32>>,
    /// The aliases that could be used before their definitions: their names with `!` or `#`, and the ranges of the
    /// names.
    late_aliases: Vec<(Box<str>, Range<u32>)>,
    /// The diagnostics outside the items.
    pub diagnostics: Vec<Diagnostic>,
}

impl Outline {
    /// Updates the outline after an edit inside an item: shifts everything after the edit by `by` bytes.
    pub(crate) fn shift(&mut self, after: u32, by: i32) {
        let moved = |place: u32| if place > after { place.wrapping_add_signed(by) } else { place };
        self.tree.shift(after, by);
        let globals = self.globals.iter_mut().map(|(_, range)| range);
        let modules = self.module.iter_mut().map(|(_, range)| range).chain(&mut self.more_modules);
        let aliases = self.late_aliases.iter_mut().map(|(_, range)| range);
        let functions = self.functions.iter_mut().flat_map(|declared| declared.spans.ranges_mut());
        for range in globals.chain(modules).chain(aliases).chain(functions) {
            *range = moved(range.start)..moved(range.end);
        }
        self.diagnostics.iter_mut().for_each(|diagnostic| diagnostic.move_places(moved));
    }

    /// Reports calls and implementations of symbols that are not functions of a library, given the names of the items
    /// and their calls.
    pub(crate) fn bad_calls<'a>(
        &'a self,
        items: impl Iterator<Item = (&'a str, Range<u32>)>,
        calls: impl Iterator<Item = (&'a str, Range<u32>)>,
    ) -> Vec<Diagnostic> {
        let mut calls = calls.peekable();
        if calls.peek().is_none() && self.functions.is_empty() {
            return Vec::new();
        }
        let items = items.map(|(name, place)| (name, "an entry", place));
        let globals = self.globals.iter().map(|(global, place)| (&*global.name, "a global", place.clone()));
        let functions = self.functions.iter().filter(|declared| !declared.function.is_declaration());
        let functions = functions.map(|found| (found.function.name(), "an implementation", found.spans.name.clone()));
        let symbols: FxHashMap<&str, _> =
            items.chain(globals).chain(functions).map(|(name, kind, place)| (name, (kind, place))).collect();
        let mut found = preview::bad_calls(calls, &symbols);
        found.extend(self.functions.iter().filter_map(|declared| declared.implements_other(&symbols)));
        found
    }

    /// Reports symbols that share a name: globals, functions and the given items with the ranges of their names.
    pub(crate) fn duplicates<'a>(&'a self, items: impl Iterator<Item = (&'a str, Range<u32>)>) -> Vec<Diagnostic> {
        let globals = self.globals.iter().map(|(global, range)| (&*global.name, range.clone()));
        let functions = self.functions.iter();
        let functions = functions.map(|declared| (declared.function.name(), declared.spans.name.clone()));
        let mut all: Vec<_> = globals.chain(functions).chain(items).filter(|(name, _)| !name.is_empty()).collect();
        all.sort_by_key(|(_, range)| range.start);
        let modules = self.module_ranges();
        let module_of = |place: u32| modules.iter().rposition(|module| module.contains(&place));
        let mut seen = FxHashMap::default();
        let mut found = Vec::new();
        for (name, range) in all {
            if found.len() == MAX_IN_FILE {
                break;
            }
            let key = (module_of(range.start), name);
            match seen.get(&key) {
                Some(earlier) => found.push(d::duplicate_symbol(range, name, Range::clone(earlier))),
                None => _ = seen.insert(key, range),
            }
        }
        found
    }
}

/// Reads the outline of a file.
pub fn outline(text: &str, pieces: &[Piece], options: Options) -> Outline {
    let tree = parse_outline(text, pieces);
    let mut diagnostics: Vec<Diagnostic> = tree.errors.iter().map(|error| d::syntax(error, &tree, text)).collect();
    missing_marks(text, &tree, &mut diagnostics);
    let context = Context { options, ..Context::default() };
    let mut builder = Builder {
        text,
        tree: &tree,
        context,
        globals: Vec::new(),
        module: None,
        more_modules: Vec::new(),
        producer: None,
        diagnostics,
        loose: Vec::new(),
        functions: Vec::new(),
    };
    builder.aliases();
    builder.context.attr_aliases = aliases::attributes(text, &tree);
    builder.context.debug =
        Arc::new(aliases::debug(text, &tree, &builder.context.attr_aliases, &mut builder.diagnostics));
    let mistakes = aliases::mistakes(text, &tree, &mut builder.context);
    builder.diagnostics.extend(mistakes);
    builder.statements(Node::ROOT, false);
    let functions = builder.functions();
    builder.loose();
    if !builder.context.options.upstream_tests {
        builder.next_to_module();
    }
    let Builder { context, globals, module, more_modules, producer, mut diagnostics, .. } = builder;
    diagnostics.extend(late_aliases::in_aliases(&tree, text));
    Diagnostic::sort(&mut diagnostics);
    if tree.has_too_many_errors() || diagnostics.len() > MAX_IN_FILE {
        diagnostics.truncate(MAX_IN_FILE);
        diagnostics.last_mut().into_iter().for_each(|last| last.notes.push(TOO_MANY.to_string()));
    }
    let late_aliases = late_aliases::late(&tree, text);
    Outline { tree, context, globals, functions, producer, module, more_modules, late_aliases, diagnostics }
}

struct Builder<'a> {
    text: &'a str,
    tree: &'a Tree,
    context: Context,
    globals: Vec<(Global, Range<u32>)>,
    module: Option<(Box<str>, Range<u32>)>,
    more_modules: Vec<Range<u32>>,
    producer: Option<Box<[u8]>>,
    diagnostics: Vec<Diagnostic>,
    /// Statements that must be inside an entry.
    loose: Vec<Node>,
    /// Functions without a body, each with the number of items before it.
    functions: Vec<(Node, usize)>,
}

impl Builder<'_> {
    /// Reads the type aliases. An alias that is used before its definition is reported, but still resolved.
    fn aliases(&mut self) {
        let nodes: Vec<Node> = self.tree.children_of(Node::ROOT, NodeKind::Alias).collect();
        self.alias_names(&nodes);
        let aliases = nodes.into_iter().filter_map(|node| {
            let name = self.tree.first_text(node, self.text).strip_prefix('!')?;
            Some((name, self.tree.child(node, NodeKind::Type)?))
        });
        let mut open: Vec<_> = aliases.collect();
        while !open.is_empty() {
            let before = open.len();
            let mut unread = Vec::new();
            for (name, node) in open {
                if unread.len() == MAX_IN_FILE {
                    break;
                }
                let mut found = Vec::new();
                let tokens = self.tree.tokens_of(node);
                let ty = ty::read(self.text, &self.tree.tokens, tokens, &self.context, &mut found);
                if ty.is_unknown() {
                    unread.push((name, node, found));
                } else {
                    self.type_version(node, ty);
                    self.context.type_aliases.insert(name.into(), ty);
                }
            }
            if unread.len() == before {
                self.diagnostics.extend(unread.into_iter().flat_map(|(_, _, found)| found).take(MAX_IN_FILE));
                return;
            }
            // Chains of aliases can run up or down the file, so the next pass goes in the other direction.
            open = unread.into_iter().rev().map(|(name, node, _)| (name, node)).collect();
        }
    }

    /// Reports duplicate aliases, and types without the prefix that they need outside a module.
    fn alias_names(&mut self, nodes: &[Node]) {
        let mut seen = FxHashMap::default();
        for &node in nodes {
            if self.diagnostics.len() >= MAX_IN_FILE {
                return;
            }
            let token = self.tree.tokens_of(node).start;
            let place = self.tree.tokens.start(token)..self.tree.tokens.end(token);
            let name = self.tree.first_text(node, self.text);
            match seen.get(name) {
                Some(earlier) => {
                    self.diagnostics.push(d::duplicate_alias(place.clone(), name, Range::clone(earlier)));
                }
                None => _ = seen.insert(name, place),
            }
            let Some(ty) = self.tree.child(node, NodeKind::Type) else { continue };
            let (written, start) = (self.tree.first_text(ty, self.text), self.tree.range(ty).start);
            if tile_dialect::TYPE_NAMES.contains(&written) {
                let place = start..start + written.len() as u32;
                self.diagnostics.push(d::lost_prefix(place, written, "in an alias"));
            }
        }
    }

    /// Reports parts of a written type that are newer than the target version.
    fn type_version(&mut self, node: Node, ty: Type) {
        let (text, place) = (self.tree.text(node, self.text), self.tree.range(node));
        self.diagnostics.extend(version::newer_type(ty, text, place, self.context.options.version));
    }

    fn statements(&mut self, parent: Node, in_module: bool) {
        self.module_names(parent);
        for node in self.tree.children(parent) {
            if self.diagnostics.len() >= MAX_IN_FILE {
                return;
            }
            match self.tree.kind(node) {
                NodeKind::Op => self.op(node, in_module),
                NodeKind::Alias if parent != Node::ROOT => {
                    self.diagnostics.push(d::alias_inside(self.tree.range(node)))
                }
                _ => {}
            }
        }
    }

    fn op(&mut self, node: Node, in_module: bool) {
        let Some(name) = self.tree.child(node, NodeKind::OpName) else { return };
        let text = self.tree.text(name, self.text).trim_matches('"');
        match self.tree.slot(node) {
            slot if slot == Mnemonic::Module as u8 => self.module(node, name, text),
            slot if slot == Mnemonic::Global as u8 => self.global(node),
            slot if is_function(slot) => {
                let items = &self.tree.tokens;
                let before = (0..self.tree.tokens_of(node).start).filter(|&token| items.kind(token) == Token::Item);
                self.functions.push((node, before.count()));
            }
            NO_SLOT if matches!(text, "module" | "builtin.module") => self.builtin_module(node, in_module),
            NO_SLOT if !self.context.options.upstream_tests && !text.contains('.') => {}
            _ => {
                if in_module {
                    self.global_location(node);
                }
                self.loose.push(node);
            }
        }
    }

    /// Reads the functions without a body and adds the declarations to the context of the items.
    fn functions(&mut self) -> Vec<Declared> {
        let nodes = std::mem::take(&mut self.functions);
        let functions = preview::declarations(self.text, self.tree, &nodes, &self.context, &mut self.diagnostics);
        let mut known = Declarations::default();
        for Declared { function, .. } in functions.iter().filter(|declared| declared.function.is_declaration()) {
            known.entry(function.name().into()).or_insert_with(|| function.clone());
        }
        self.context.preview = Arc::new(known);
        functions
    }

    fn regions(&mut self, node: Node, in_module: bool) {
        for region in self.tree.children_of(node, NodeKind::Region) {
            self.statements(region, in_module);
        }
    }

    /// Checks that the location of a module-level op other than a function has no scope.
    fn global_location(&mut self, node: Node) {
        let mut store = BodyStore::new(&self.context.debug);
        let found = location::location_of(self.tree, self.text, node, &mut store, &mut self.diagnostics);
        if let Some((id, place)) = found
            && store.scope(id).is_some()
        {
            self.diagnostics.push(d::global_scope(self.tree.range(place)));
        }
    }

    /// Reports entries and globals outside a module, with a fix that wraps them in one.
    fn outside_module(&mut self) {
        let is_outside = |&node: &Node| self.is_symbol(node);
        let outside: Vec<Node> = self.tree.children(Node::ROOT).filter(is_outside).collect();
        let (Some(&first), Some(&last)) = (outside.first(), outside.last()) else { return };
        let (start, end) = (self.tree.range(first).start, self.tree.range(last).end);
        let between = |&node: &Node| (start..end).contains(&self.tree.range(node).start);
        // Aliases stay outside, and an existing module is not wrapped.
        let only_items = self.tree.children(Node::ROOT).filter(between).all(|node| is_outside(&node));
        let word = self.word_at(start);
        let at = comments_start(self.text, start);
        let insert = |at: u32, content: &str| Edit { range: at..at, content: content.to_string() };
        let edits =
            if only_items { vec![insert(at, "cuda_tile.module @kernels {\n"), insert(end, "\n}")] } else { Vec::new() };
        self.diagnostics.push(d::no_module(start..start + word.len() as u32, word, edits));
    }

    /// Reports ops outside any item, unless upstream's tests are being checked.
    fn loose(&mut self) {
        if self.context.options.upstream_tests {
            // Lowering also reports the syntax errors, except for consequences of other errors.
            self.diagnostics.drain(..self.tree.errors.len());
            self.diagnostics.extend(lower_loose(self.text, self.tree, &self.context, &self.loose));
            return;
        }
        // Report only the first of several in a row: they have a common cause, such as a missing line of an entry.
        let mut reported_until = None;
        for &node in &self.loose {
            let place = self.tree.range(node);
            let follows = reported_until.is_some_and(|end| !self.items_between(end, place.start));
            reported_until = Some(place.end);
            // An unknown op is reported by the parser.
            let is_unknown =
                |error: &SyntaxError| error.kind == ErrorKind::UnknownOp && error.range.start == place.start;
            let follows = follows || self.tree.errors.iter().any(is_unknown);
            if let (Some(name), false) = (self.tree.child(node, NodeKind::OpName), follows) {
                self.diagnostics.push(d::misplaced_op(self.tree.range(name), self.tree.text(name, self.text)));
            }
        }
    }

    fn items_between(&self, start: u32, end: u32) -> bool {
        let tokens = &self.tree.tokens;
        (tokens.at(start)..tokens.at(end)).any(|token| tokens.kind(token) == Token::Item)
    }

    /// Reports entries and globals next to a module instead of in it. Only the first one is reported, and surplus
    /// braces after it are dropped as consequences.
    fn next_to_module(&mut self) {
        let Some(first) = self.tree.children(Node::ROOT).find(|&node| self.is_symbol(node)) else { return };
        let is_brace = |error: &SyntaxError| error.kind == ErrorKind::ExtraBrace;
        if self.module.is_none() && !self.tree.errors.iter().any(is_brace) {
            return self.outside_module();
        }
        let start = self.tree.range(first).start;
        // The diagnostics begin with the syntax errors.
        let mut errors = self.tree.errors.iter();
        self.diagnostics.retain(|_| errors.next().is_none_or(|error| !is_brace(error) || error.range.start < start));
        let word = self.word_at(start);
        self.diagnostics.push(d::outside_module(start..start + word.len() as u32, word));
    }

    /// Whether a node must be in a module.
    fn is_symbol(&self, node: Node) -> bool {
        match self.tree.kind(node) {
            NodeKind::Item => true,
            kind => {
                let slot = self.tree.slot(node);
                kind == NodeKind::Op && (slot == Mnemonic::Global as u8 || is_function(slot))
            }
        }
    }

    /// The name that starts at an offset.
    fn word_at(&self, start: u32) -> &str {
        let word = &self.text[start as usize..];
        &word[..word.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.').unwrap_or(word.len())]
    }
}

/// Whether a statement is a function without a body.
fn is_function(slot: u8) -> bool {
    ops().get(usize::from(slot)).is_some_and(|row| preview::is_item(row.op))
}

/// The start of the comment lines directly above `at`.
fn comments_start(text: &str, at: u32) -> u32 {
    let mut start = text[..at as usize].rfind('\n').map_or(0, |newline| newline + 1);
    while let Some(above) = text[..start].strip_suffix('\n') {
        let line = above.rfind('\n').map_or(0, |newline| newline + 1);
        if !above[line..].trim_start().starts_with("//") {
            break;
        }
        start = line;
    }
    start as u32
}
