//! The functions without a body in a file, and the ranges of their parts.

use super::gate::refusal;
use super::read::{PreviewReader, attribute};
use super::rules::{Broken, FunctionPart, check_functions};
use crate::context::{Context, Options};
use crate::diagnostic::Diagnostic;
use crate::diagnostics as d;
use crate::ir::{Attr, AttrValue, NamedAttrs};
use crate::ir::{Function, Param};
use crate::lower::Lowered;
use crate::number;
use crate::print::attr_literal;
use crate::read::attr::{self, Read, symbol};
use crate::read::ty;
use crate::syntax_errors::place_of;
use crate::types::Type;
use rustc_hash::FxHashMap;
use std::ops::Range;
use tile_dialect::{AttrKind, AttrName, AttrRow, Mnemonic, ops};
use tile_syntax::{Node, NodeKind, Token, Tree};

/// A function and the ranges of its parts, relative to the start of the file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Declared {
    /// The function.
    pub(crate) function: Function,
    /// The ranges of its parts.
    pub(crate) spans: FunctionSpans,
}

/// The ranges of the parts of a function.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FunctionSpans {
    /// Its name, or the name of its op if it has none.
    pub(crate) name: Range<u32>,
    params: Vec<Range<u32>>,
    results: Range<u32>,
    attrs: Vec<Range<u32>>,
}

impl FunctionSpans {
    /// All ranges, to shift them after an edit.
    pub(crate) fn ranges_mut(&mut self) -> impl Iterator<Item = &mut Range<u32>> {
        [&mut self.name, &mut self.results].into_iter().chain(&mut self.params).chain(&mut self.attrs)
    }

    fn range_of(&self, function: &Function, part: FunctionPart) -> Range<u32> {
        match part {
            FunctionPart::Name => self.name.clone(),
            FunctionPart::Param(index) => self.params.get(index).unwrap_or(&self.name).clone(),
            FunctionPart::Results => self.results.clone(),
            FunctionPart::Attr(name) => {
                let index = function.op.row().attr(name).map(|(index, _)| index);
                index.and_then(|index| self.attrs.get(index)).unwrap_or(&self.name).clone()
            }
        }
    }
}

/// Reads the functions at the given nodes, each with the number of entries before it. Problems are added to `found`.
pub(crate) fn declarations(
    text: &str,
    tree: &Tree,
    nodes: &[(Node, usize)],
    context: &Context,
    found: &mut Vec<Diagnostic>,
) -> Vec<Declared> {
    let mut declared = Vec::new();
    for &(node, entries_before) in nodes {
        let Some(&row) = ops().get(tree.slot(node) as usize) else { continue };
        let name = tree.child(node, NodeKind::OpName).unwrap_or(node);
        if let Some(refused) = refusal(&context.options) {
            found.push(d::preview_refused(tree.range(name), row.name, refused));
            continue;
        }
        if tree.token(name, 0) == Token::String {
            found.push(d::preview_generic(tree.range(name), row.name));
            continue;
        }
        let range = tree.range(node);
        let is_broken = tree.errors.iter().any(|error| {
            let place = place_of(error, tree);
            range.start <= place.start && place.start <= range.end
        });
        let spans = FunctionSpans {
            name: tree.range(name),
            params: Vec::new(),
            results: tree.range(name),
            attrs: vec![tree.range(name); row.attrs.len()],
        };
        let function = Function::new(row.op, entries_before);
        let mut item = Item { text, tree, context, function, spans, found: Vec::new() };
        item.read(node);
        if is_broken {
            // Other problems are mostly consequences of the syntax error.
            item.found.clear();
        }
        let is_sound = item.found.is_empty() && !is_broken;
        found.append(&mut item.found);
        declared.push((Declared { function: item.function, spans: item.spans }, is_sound));
    }
    let functions: Vec<Function> = declared.iter().map(|(declared, _)| declared.function.clone()).collect();
    for Broken { function, part, message } in check_functions(&functions) {
        let (Declared { function, spans }, is_sound) = &declared[function];
        if *is_sound {
            found.push(d::preview_rule(spans.range_of(function, part), message));
        }
    }
    declared.into_iter().map(|(declared, _)| declared).collect()
}

/// A function whose parts are being read.
struct Item<'a> {
    text: &'a str,
    tree: &'a Tree,
    context: &'a Context,
    function: Function,
    spans: FunctionSpans,
    found: Vec<Diagnostic>,
}

impl Item<'_> {
    fn read(&mut self, node: Node) {
        let rows = self.function.op.row().attrs;
        for child in self.tree.children(node) {
            match self.tree.kind(child) {
                NodeKind::Attr => {
                    if let Some(row) = rows.get(self.tree.slot(child) as usize) {
                        self.attr(row, child);
                    }
                }
                NodeKind::Signature => self.signature(child),
                NodeKind::Dict => self.dictionary(child),
                _ => {}
            }
        }
    }

    fn reader(&self, node: Node) -> PreviewReader<'_> {
        let tokens = self.tree.tokens_of(node);
        let tokens = attr::AttrReader { text: self.text, tokens: &self.tree.tokens, at: tokens.start, end: tokens.end };
        PreviewReader::new(tokens, self.context)
    }

    fn or_report<T>(&mut self, read: Read<T>) -> Option<T> {
        read.map_err(|wrong| self.found.push(*wrong)).ok()
    }

    fn attr(&mut self, row: &'static AttrRow, node: Node) {
        let place = self.tree.range(node);
        if matches!(row.kind, AttrKind::SymbolName) {
            self.spans.name = place.clone();
        }
        let read = match row.kind {
            AttrKind::SymbolName | AttrKind::SymbolRef => {
                Ok(Attr::Symbol(symbol(self.tree.first_text(node, self.text))))
            }
            _ => attribute(row, &mut self.reader(node)),
        };
        let index = self.function.op.row().attr_named(row.name).map_or(0, |(index, _)| index);
        self.spans.attrs[index] = place;
        if let Some(value) = self.or_report(read) {
            self.function.attrs[index] = value;
        }
    }

    /// Reads the dictionary at the end of a function.
    fn dictionary(&mut self, node: Node) {
        let read = self.reader(node).dict();
        for (name, value) in self.or_report(read).unwrap_or_default().into_entries() {
            let Some((index, row)) = self.function.op.row().attr_named(&name) else {
                let message = format!("`{}` has no attribute `{name}`", self.function.op.row().name);
                self.found.push(d::preview_rule(self.tree.range(node), message));
                continue;
            };
            self.spans.attrs[index] = self.tree.range(node);
            match (row.kind, value) {
                (AttrKind::Int(_), AttrValue::Number(element, bits)) if element.is_int() => {
                    self.function.attrs[index] = Attr::Int(number::decode_int(element, bits));
                }
                (AttrKind::Array, value @ AttrValue::Array(_)) | (AttrKind::Dictionary, value @ AttrValue::Dict(_)) => {
                    self.function.attrs[index] = Attr::Value(Box::new(value));
                }
                (_, value) => {
                    let message = format!("`{name}` cannot be `{}`", attr_literal(&value));
                    self.found.push(d::preview_rule(self.tree.range(node), message));
                }
            }
        }
    }

    fn signature(&mut self, node: Node) {
        let mut params = Vec::new();
        for param in self.tree.children_of(node, NodeKind::Param) {
            let ty_node = self.tree.child(param, NodeKind::Type);
            let ty = ty_node.map_or(Type::unknown(), |node| self.ty(node));
            let attrs = match self.tree.child(param, NodeKind::Dict) {
                Some(dict) => {
                    let read = self.reader(dict).dict();
                    self.or_report(read).unwrap_or_default()
                }
                None => NamedAttrs::default(),
            };
            let name = self.tree.first_text(param, self.text);
            let name = name.strip_prefix('%').unwrap_or("").into();
            self.spans.params.push(self.tree.range(ty_node.unwrap_or(param)));
            params.push(Param { name, ty, attrs });
        }
        self.function.params = params.into();
        if let Some(results) = self.tree.child(node, NodeKind::Type) {
            self.spans.results = self.tree.range(results);
            self.function.results = self.results(results).into();
        }
    }

    fn ty(&mut self, node: Node) -> Type {
        ty::read(self.text, &self.tree.tokens, self.tree.tokens_of(node), self.context, &mut self.found)
    }

    /// Reads `T` or `(T, …)`.
    fn results(&mut self, node: Node) -> Vec<Type> {
        if self.tree.token(node, 0) != Token::LeftParen {
            return vec![self.ty(node)];
        }
        let list = ty::listed(self.text, &self.tree.tokens, self.tree.tokens_of(node), self.context, &mut self.found);
        list.into_iter().map(|(ty, _)| ty).collect()
    }
}

/// Calls in an item: the callee, and the range of the op name.
pub(crate) type Calls = Box<[(Box<str>, Range<u32>)]>;

/// The calls in an item.
pub(crate) fn calls_of(lowered: &Lowered, options: &Options) -> Calls {
    if refusal(options).is_some() {
        return Calls::default();
    }
    let ops = lowered.body.ops.iter().zip(&lowered.spans.op_names);
    let calls = ops.filter(|(op, _)| op.op == Mnemonic::PreviewCall).filter_map(|(op, place)| {
        let (index, _) = op.op.row().attr(AttrName::Callee)?;
        match lowered.body.attr(op, index) {
            Attr::Symbol(callee) => Some((callee.clone(), place.clone())),
            _ => None,
        }
    });
    calls.collect()
}

/// The symbols of a file other than declarations of functions, by name: the kind, and the range of the name.
type OtherSymbols<'a> = FxHashMap<&'a str, (&'static str, Range<u32>)>;

/// Reports calls of symbols that are not declared functions: entries, globals or implementations.
pub(crate) fn bad_calls<'a>(
    calls: impl Iterator<Item = (&'a str, Range<u32>)>,
    symbols: &OtherSymbols,
) -> Vec<Diagnostic> {
    let found = calls.filter_map(|(callee, place)| {
        let (kind, definition) = symbols.get(callee)?;
        Some(d::not_callable(place, callee, kind, definition.clone()))
    });
    found.collect()
}

impl Declared {
    /// Reports an implementation of a symbol that is not a declared function.
    pub(crate) fn implements_other(&self, symbols: &OtherSymbols) -> Option<Diagnostic> {
        let name = self.function.implements();
        let (kind, definition) = symbols.get(name).filter(|_| !self.function.is_declaration())?;
        let place = self.spans.range_of(&self.function, FunctionPart::Attr(AttrName::Implements));
        Some(d::not_implementable(place, name, kind, definition.clone()))
    }
}
