//! One-line labels of op forms, and the ranges of their parts.

use std::ops::Range;
use tile_dialect::form::{Form, Piece, Slot, TypeCount};
use tile_dialect::{Arity, AttrKind, AttrRow, Named, OpRow, RegionArgs};
use tile_syntax::{Node, NodeKind, Tree};

/// A form on one line.
pub(in crate::ide) struct Label {
    /// The text of the line.
    pub(in crate::ide) text: String,
    /// The parts in order, with their byte ranges.
    pub(super) parts: Vec<(Range<usize>, LabelPart)>,
    /// Whether each part is a list.
    lists: Vec<bool>,
}

/// A variable part of a form. The numbers are indices into the op's row, or into the form's types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LabelPart {
    Operand(u8),
    Attr(u8),
    Type(u8),
    Region(u8),
    Argument(u8),
    Bind { region: u8, operand: u8 },
    Signature(u8),
}

impl Label {
    /// The label of an op with this spelling.
    pub(in crate::ide) fn of(named: Named) -> Label {
        let (row, form) = (named.row, named.form());
        let names: Vec<String> = row.results.iter().map(|result| format!("%{}", result.name)).collect();
        let results = if names.is_empty() { String::new() } else { format!("{} = ", names.join(", ")) };
        let name = named.spelling.map_or(row.name, |spelling| spelling.name);
        let mut label = Label { text: format!("{results}{name}"), parts: Vec::new(), lists: Vec::new() };
        label.pieces(row, form, &form.pieces);
        label
    }

    fn pieces(&mut self, row: &OpRow, form: &Form, pieces: &[Piece]) {
        pieces.iter().for_each(|piece| self.piece(row, form, piece));
    }

    fn piece(&mut self, row: &OpRow, form: &Form, piece: &Piece) {
        let operand = |index: u8| &row.operands[index as usize];
        match piece {
            Piece::Operand(index) if operand(*index).arity == Arity::Variadic => {
                self.part(&format!("%{}, …", operand(*index).name), LabelPart::Operand(*index), true);
            }
            Piece::Operand(index) => {
                self.part(&format!("%{}", operand(*index).name), LabelPart::Operand(*index), false)
            }
            Piece::Mixed { operand: index, .. } => {
                self.part(&format!("%{}, …", operand(*index).name), LabelPart::Operand(*index), true);
            }
            Piece::Attr { index, optional } => {
                let text = attribute(&row.attrs[*index as usize]);
                let text = if *optional { format!("[{text}]") } else { text };
                self.part(&text, LabelPart::Attr(*index), false);
            }
            Piece::Region(index) => {
                let listed = row.regions[*index as usize].args == RegionArgs::Listed;
                self.part(if listed { "(%x: type, …) { … }" } else { "{ … }" }, LabelPart::Region(*index), false);
            }
            Piece::Type(index) => self.types(row, form, *index),
            Piece::TypeArrow { before, after } => {
                self.push("[");
                for (index, before) in before.iter().enumerate() {
                    if index > 0 {
                        self.push(",");
                    }
                    self.types(row, form, *before);
                }
                self.push("->");
                self.push("]");
                self.types(row, form, *after);
            }
            Piece::FunctionType(operands, results) => {
                self.push("(");
                self.types(row, form, *operands);
                self.push(")");
                self.push("->");
                self.push("(");
                self.types(row, form, *results);
                self.push(")");
            }
            Piece::Word(word) => self.push(word),
            Piece::Punct { mark, .. } => self.push(mark.text()),
            Piece::Group(list) => {
                self.push("[");
                self.pieces(row, form, list);
                self.push("]");
            }
            Piece::AnyOrder(list) => self.pieces(row, form, list),
            Piece::Argument(region) => self.part("%i", LabelPart::Argument(*region), false),
            Piece::Bind { region, operand: index } => {
                let part = LabelPart::Bind { region: *region, operand: *index };
                self.part(&format!("%carried = %{}, …", operand(*index).name), part, true);
            }
            Piece::Signature(region) => self.part("(%parameter: type, …)", LabelPart::Signature(*region), true),
            Piece::Dict(_) => self.dictionary(row, form),
        }
    }

    /// Adds the attributes that the form does not name: `[attributes {reduction = …}]`.
    fn dictionary(&mut self, row: &OpRow, form: &Form) {
        for (index, attr) in row.attrs.iter().enumerate() {
            if matches!(attr.kind, AttrKind::Enum { .. }) && !form.names_attr(row, attr.name) {
                self.part(&format!("[attributes {{{} = …}}]", attr.name), LabelPart::Attr(index as u8), false);
            }
        }
    }

    /// Adds a type as `type(%a)`.
    fn types(&mut self, row: &OpRow, form: &Form, index: u8) {
        let piece = &form.types[index as usize];
        let names: Vec<&str> = piece
            .slots
            .iter()
            .map(|slot| match slot {
                Slot::Operand(index) => row.operands[*index as usize].name,
                Slot::Result(index) => row.results[*index as usize].name,
                Slot::Attr(index) => row.attrs[*index as usize].name,
            })
            .collect();
        let is_list = matches!(piece.count, TypeCount::Each | TypeCount::OneOrEach);
        let more = if is_list { ", …" } else { "" };
        self.part(&format!("type(%{}){more}", names.join(", %")), LabelPart::Type(index), is_list);
    }

    fn part(&mut self, text: &str, part: LabelPart, is_list: bool) {
        self.push(text);
        self.parts.push((self.text.len() - text.len()..self.text.len(), part));
        self.lists.push(is_list);
    }

    /// Adds text, after a space if necessary.
    fn push(&mut self, text: &str) {
        let is_tight = text.starts_with([',', ')', ']']) || self.text.ends_with(['(', '[']);
        if !is_tight {
            self.text.push(' ');
        }
        // No space before an optional list element: `%a[, %mask]`.
        if text.starts_with(',') && self.text.ends_with(" [") {
            self.text.truncate(self.text.len() - 2);
            self.text.push('[');
        }
        self.text.push_str(text);
    }

    /// Reports whether a part is a list.
    pub(super) fn is_list(&self, part: usize) -> bool {
        self.lists[part]
    }

    /// The index of the part for a node of a statement.
    pub(super) fn part_of(&self, tree: &Tree, node: Node) -> Option<usize> {
        let slot = tree.slot(node);
        let is = |part: &LabelPart| match (tree.kind(node), *part) {
            (
                NodeKind::Operand | NodeKind::Number,
                LabelPart::Operand(index) | LabelPart::Bind { operand: index, .. },
            ) => index == slot,
            (NodeKind::Attr, LabelPart::Attr(index)) => index == slot,
            (NodeKind::Type, LabelPart::Type(index)) => index == slot,
            (NodeKind::Region, LabelPart::Region(index)) => index == slot,
            (NodeKind::BlockArg, LabelPart::Argument(index) | LabelPart::Bind { region: index, .. }) => index == slot,
            (NodeKind::Signature, LabelPart::Signature(_)) => true,
            _ => false,
        };
        self.parts.iter().position(|(_, part)| is(part))
    }
}

fn attribute(attr: &AttrRow) -> String {
    match attr.kind {
        AttrKind::Enum { wrapper: "", .. } => attr.name.to_string(),
        AttrKind::Enum { wrapper, .. } => format!("{wrapper}<…>"),
        AttrKind::Flag(word) => word.to_string(),
        AttrKind::SymbolName | AttrKind::SymbolRef => "@name".to_string(),
        AttrKind::Str => "\"…\"".to_string(),
        AttrKind::Dense => "<element: value>".to_string(),
        AttrKind::IntList | AttrKind::BoolList(_) | AttrKind::Identities => "[…]".to_string(),
        AttrKind::Hints => "<…>".to_string(),
        _ => attr.name.to_string(),
    }
}
