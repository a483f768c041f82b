//! Writes an op with its operands as a snippet.

use super::super::statement_types;
use super::defaults::{EXTENT, default_type, is_at_least_one, placeholder, words};
use super::operands::Operands;
use super::site::Site;
use super::values::Visible;
use crate::ir::Attr;
use crate::likely_types::{Literal, Statement};
use crate::types::Type;
use std::fmt::Write;
use tile_dialect::form::{Piece, Punct, Slot};
use tile_dialect::{
    Arity, AttrKind, AttrName, AttrRow, Class, Element, Mnemonic, Named, OperandName, RegionArgs, Version,
};

/// How an op is completed.
pub(super) struct Choice<'a> {
    pub(super) named: Named,
    pub(super) label: &'a str,
    pub(super) operands: &'a Operands<'a>,
    /// The value of its mode to begin with, among those that it accepts.
    pub(super) mode: usize,
    /// The number of results that are named already, if the text before the op names them: `%a =`.
    pub(super) results: Option<usize>,
}

/// A completed op.
#[derive(Default)]
pub(super) struct Written {
    /// The snippet.
    pub(super) snippet: String,
    /// What is missing after the names of results that are written already: `, %token`, or `:2`.
    pub(super) more_results: String,
    /// The text of the snippet with its defaults.
    pub(super) text: String,
    /// The values that the text uses.
    pub(super) values: Vec<(String, Type)>,
}

/// The number of values of the mode of an op, such as an atomic one. An op without a mode has one way to be written.
pub(super) fn modes(named: Named, version: Version) -> usize {
    let mode = named.row.attr(AttrName::Mode);
    mode.map_or(1, |(_, attr)| words(attr, version).len().max(1))
}

/// The types of an op, likeliest first: everything from the first colon or arrow. An op whose form has no types has a
/// single, empty text.
pub(super) fn types(site: &Site, choice: &Choice) -> Vec<String> {
    let row = choice.named.row;
    if !choice.named.form().pieces.iter().any(has_types) {
        return vec![String::new()];
    }
    let types = |values: &Vec<&Visible>| values.iter().map(|value| value.ty).collect();
    let extent = row.operand(OperandName::DynamicShape);
    let extent = extent.map(|(index, _)| (index, choice.operands[index].is_empty().then_some(EXTENT)));
    let stride = row.operand(OperandName::DynamicStrides).map(|(index, _)| (index, Some(1)));
    let statement = Statement {
        named: choice.named,
        version: site.version,
        operands: choice.operands.iter().map(types).collect(),
        attrs: row.attrs.iter().map(|attr| default_of(attr, choice, site)).collect(),
        lists: extent.into_iter().chain(stride).collect(),
        literal: Some(Literal { element: Element::I32, shape: Vec::new() }),
        global: site.global.as_ref().map(|(_, ty)| *ty),
        visible: site.types.clone(),
    };
    statement_types::texts(&statement)
}

/// Writes an op with these types, or with likely ones if they are not known.
pub(super) fn write(site: &Site, choice: &Choice, types: Option<&str>) -> Written {
    let written = Written::default();
    let mut writer = Writer { site, choice, types, written, stops: 0, names: Vec::new() };
    writer.statement();
    writer.written
}

struct Writer<'a> {
    site: &'a Site<'a>,
    choice: &'a Choice<'a>,
    /// The types from the first colon or arrow on, if they are known.
    types: Option<&'a str>,
    written: Written,
    /// The number of placeholders written.
    stops: usize,
    /// The names that the statement defines.
    names: Vec<String>,
}

impl Writer<'_> {
    fn statement(&mut self) {
        match self.choice.results {
            None => self.results(),
            Some(count) => self.written.more_results = self.more_results(count),
        }
        // In a snippet, an unescaped `$` starts a placeholder.
        self.written.snippet.push_str(&self.choice.label.replace('$', "\\$"));
        self.written.text.push_str(self.choice.label);
        self.pieces(&self.choice.named.form().pieces);
    }

    fn pieces(&mut self, pieces: &'static [Piece]) {
        for (index, piece) in pieces.iter().enumerate() {
            if is_types(piece)
                && let Some(types) = self.types
            {
                if let Some((mark, types)) = types.split_once(' ') {
                    self.push(&format!(" {mark} "));
                    self.stop(types);
                }
                // Only regions can follow the types.
                let rest = pieces[index..].iter().filter(|piece| matches!(piece, Piece::Region(_)));
                rest.for_each(|piece| self.piece(piece));
                break;
            }
            self.piece(piece);
        }
    }

    /// Writes names for the results, unless the only result is a token that is rarely used.
    fn results(&mut self) {
        let row = self.choice.named.row;
        let is_token = |class: Class| class == Class::Token;
        let needs_token =
            row.operands.iter().any(|operand| is_token(operand.class) && operand.arity != Arity::Optional);
        if row.results.iter().all(|result| is_token(result.class)) && row.name != "make_token" && !needs_token {
            return;
        }
        let counted = self.counted_results();
        for (index, (name, count)) in counted.iter().enumerate() {
            self.push(if index > 0 { ", %" } else { "%" });
            let name = self.site.result_name(name, &self.names);
            self.stop(&name[1..]);
            self.names.push(name);
            if *count > 1 {
                self.push(&format!(":{count}"));
            }
        }
        self.push(if counted.is_empty() { "" } else { " = " });
    }

    /// The names of further results, if fewer than the op has are named.
    fn more_results(&self, named: usize) -> String {
        let counted = self.counted_results();
        match counted[..] {
            [(_, count)] if named == 1 && count > 1 => format!(":{count}"),
            _ => {
                let names = counted.iter().skip(named).map(|(name, _)| self.site.result_name(name, &[]));
                names.fold(String::new(), |text, name| text + ", " + &name)
            }
        }
    }

    /// The results that the version has, each with the number of its values.
    fn counted_results(&self) -> Vec<(&'static str, usize)> {
        let shown = self.choice.named.row.results.iter().filter(|result| result.since <= self.site.version);
        let counted = shown.map(|result| match result.arity {
            // `results` of a reduction.
            Arity::Variadic => (result.name.trim_end_matches('s'), self.count()),
            _ => (result.name, 1),
        });
        counted.filter(|(_, count)| *count > 0).collect()
    }

    /// The number of values of a variadic result.
    fn count(&self) -> usize {
        let first = self.choice.operands.first().map(Vec::as_slice).unwrap_or_default();
        let view = first.first().map(|value| value.ty);
        match self.choice.named.row.op {
            Mnemonic::Reduce | Mnemonic::Scan => first.len(),
            Mnemonic::GetTensorShape => view.and_then(Type::as_tensor_view).map_or(0, |view| view.shape.len()),
            Mnemonic::GetIndexSpaceShape => view.and_then(Type::as_tile_view).map_or(0, |view| view.tile.len()),
            // Loops and conditions are completed without results.
            _ => 0,
        }
    }

    /// A new name for an argument of a region, with `%`.
    fn argument(&mut self, stem: &str) -> String {
        let name = self.site.argument_name(stem, &self.names);
        self.names.push(name.clone());
        name
    }

    fn push(&mut self, text: &str) {
        self.written.snippet.push_str(text);
        self.written.text.push_str(text);
    }

    /// Writes a placeholder with a default text.
    fn stop(&mut self, default: &str) {
        self.stops += 1;
        let escaped = default.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}");
        let _ = write!(self.written.snippet, "${{{}:{escaped}}}", self.stops);
        self.written.text.push_str(default);
    }

    fn choice(&mut self, words: &[&str]) {
        self.stops += 1;
        self.written.text.push_str(words.first().unwrap_or(&""));
        match words {
            [only] => self.written.snippet.push_str(only),
            _ => {
                let _ = write!(self.written.snippet, "${{{}|{}|}}", self.stops, words.join(","));
            }
        }
    }

    fn blank(&mut self) {
        if !self.written.text.ends_with([' ', '(', '[', '\n']) && !self.written.text.is_empty() {
            self.push(" ");
        }
    }

    fn piece(&mut self, piece: &'static Piece) {
        let row = self.choice.named.row;
        match piece {
            Piece::Operand(index) if row.operands[*index as usize].arity == Arity::Optional => {}
            Piece::Operand(index) | Piece::Mixed { operand: index, .. } => {
                self.blank();
                self.operand(*index as usize);
            }
            // The values that a terminator passes on are optional in its form.
            Piece::Group(pieces) if self.has_operand(pieces) => self.pieces(pieces),
            Piece::Attr { optional: true, .. }
            | Piece::Group(_)
            | Piece::AnyOrder(_)
            | Piece::Dict(_)
            | Piece::Bind { .. } => {}
            Piece::Attr { index, .. } => {
                self.blank();
                self.attr(&row.attrs[*index as usize]);
            }
            Piece::Region(index) => self.region(row.regions[*index as usize].args),
            Piece::Type(index) | Piece::TypeArrow { after: index, .. } => {
                self.blank();
                self.stop(&self.type_of(*index));
            }
            Piece::FunctionType(operands, results) => {
                self.blank();
                self.push("(");
                self.stop(&self.type_of(*operands));
                self.push(") -> ");
                self.stop(&self.type_of(*results));
            }
            Piece::Word(word) => {
                self.blank();
                self.push(word);
            }
            Piece::Punct { mark, apart } => {
                if *apart {
                    self.blank();
                }
                self.push(mark.text());
            }
            Piece::Argument(_) => {
                self.blank();
                let name = self.argument("i");
                self.stop(&name);
            }
            Piece::Signature(_) => {
                self.push("(");
                self.stop("%p: tile<ptr<f32>>");
                self.push(")");
            }
        }
    }

    /// Reports whether values are chosen for an operand of a group.
    fn has_operand(&self, pieces: &[Piece]) -> bool {
        let has_values = |index: u8| !self.choice.operands[index as usize].is_empty();
        pieces.iter().any(|piece| matches!(piece, Piece::Operand(index) if has_values(*index)))
    }

    /// A type for a position in the form whose type cannot be inferred from the operands.
    fn type_of(&self, index: u8) -> String {
        let row = self.choice.named.row;
        let slots = self.choice.named.form().types[index as usize].slots.iter();
        let chosen = slots.clone().find_map(|slot| match slot {
            Slot::Operand(index) => self.choice.operands[*index as usize].first().map(|value| value.ty.to_string()),
            _ => None,
        });
        let class = slots.map(|slot| match slot {
            Slot::Operand(index) => row.operands[*index as usize].class,
            Slot::Result(index) => row.results[*index as usize].class,
            Slot::Attr(_) => Class::Tile,
        });
        chosen.unwrap_or_else(|| class.map(default_type).next().unwrap_or_default())
    }

    fn operand(&mut self, index: usize) {
        let (row, values) = (&self.choice.named.row.operands[index], &self.choice.operands[index]);
        if values.is_empty() {
            return self.stop(&placeholder(row));
        }
        let names: Vec<&str> = values.iter().map(|value| &*value.name).collect();
        self.stop(&names.join(", "));
        self.written.values.extend(values.iter().map(|value| (value.name.clone(), value.ty)));
    }

    fn attr(&mut self, attr: &AttrRow) {
        match attr.kind {
            AttrKind::Enum { wrapper, .. } => {
                let mut words = words(attr, self.site.version);
                if attr.name == AttrName::Mode.text() {
                    words.rotate_left(self.choice.mode);
                }
                if wrapper.is_empty() {
                    return self.choice(&words);
                }
                self.push(&format!("{wrapper}<"));
                self.choice(&words);
                self.push(">");
            }
            AttrKind::Flag(word) => self.push(word),
            AttrKind::Int(_) => self.stop(if is_at_least_one(attr) { "4" } else { "0" }),
            AttrKind::Bool => self.choice(&["false", "true"]),
            AttrKind::Str => self.around("\"", "hello\\n", "\""),
            AttrKind::SymbolRef if attr.name == AttrName::Name.text() => {
                let name = self.site.global.as_ref().map_or("name", |(name, _)| name);
                self.around("@", name, "");
            }
            AttrKind::SymbolName | AttrKind::SymbolRef => self.around("@", "name", ""),
            AttrKind::Dense => self.around("<", "i32: 0", ">"),
            AttrKind::IntList => {
                let dims: Vec<String> = permutation(self.choice).iter().map(i64::to_string).collect();
                self.around("[", &dims.join(", "), "]");
            }
            AttrKind::BoolList(_) | AttrKind::Array => self.around("[", "0", "]"),
            AttrKind::Identities => {
                let element = self.element().unwrap_or("f32");
                let zero = if element.starts_with('i') { "0" } else { "0.0" };
                self.around("[", &format!("{zero} : {element}"), "]");
            }
            AttrKind::Predicate => self.stop("div_by<16>"),
            AttrKind::ConstParams | AttrKind::ConstArgs => self.around("<[", "32", "]>"),
            AttrKind::Preview(_) | AttrKind::Dictionary => self.around("{", "", "}"),
            AttrKind::Hints | AttrKind::Type | AttrKind::DictList => {}
        }
    }

    /// Writes a placeholder between two marks.
    fn around(&mut self, before: &str, default: &str, after: &str) {
        self.push(before);
        self.stop(default);
        self.push(after);
    }

    /// The element type of the first chosen value.
    fn element(&self) -> Option<&'static str> {
        let first = self.choice.operands.iter().flatten().next()?;
        Some(first.ty.as_tile()?.number()?.name())
    }

    fn region(&mut self, args: RegionArgs) {
        let mut end = "\n}".to_string();
        if args == RegionArgs::Listed {
            let ty = format!("tile<{}>", self.element().unwrap_or("f32"));
            let (element, accumulator) = (self.argument("element"), self.argument("accumulator"));
            self.push(&format!(" ({element}: {ty}, {accumulator}: {ty})"));
            end = format!("\n\tyield {accumulator} : {ty}\n}}");
        }
        self.push(" {\n\t");
        self.written.snippet.push_str("$0");
        self.push(&end);
    }
}

/// The value that is written for an attribute, as far as types depend on it.
fn default_of(attr: &AttrRow, choice: &Choice, site: &Site) -> Attr {
    match (attr.kind, &site.global) {
        (AttrKind::Int(_), _) => Attr::Int(0),
        (AttrKind::IntList, _) => Attr::IntList(permutation(choice).into()),
        (AttrKind::SymbolRef, Some((name, _))) => Attr::Symbol(name.as_str().into()),
        _ => Attr::Absent,
    }
}

/// The dimensions of the first operand in reverse order.
fn permutation(choice: &Choice) -> Vec<i64> {
    let first = choice.operands.first().and_then(|values| values.first());
    let rank = first.and_then(|value| Some(value.ty.as_tile()?.rank()));
    (0..rank.unwrap_or(2) as i64).rev().collect()
}

/// Reports whether a piece contains types.
fn has_types(piece: &Piece) -> bool {
    is_types(piece) || matches!(piece, Piece::Group(pieces) if pieces.iter().any(is_types))
}

/// Reports whether the types of the op begin with this piece.
fn is_types(piece: &Piece) -> bool {
    matches!(piece, Piece::Punct { mark: Punct::Colon | Punct::Arrow, .. })
        || matches!(piece, Piece::Group(list) if matches!(list.first(), Some(Piece::Punct { mark: Punct::Colon | Punct::Arrow, .. })))
}
