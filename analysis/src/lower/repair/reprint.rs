//! Printing an op again from its row, with the parts that the text has and the marks, keywords and types that it lacks.

use super::insertion::{Insertion, Source};
use super::types::Types;
use std::ops::Range;
use tile_dialect::form::{Piece, Punct};
use tile_dialect::{Element, RegionArgs};
use tile_syntax::{Node, NodeKind, Token};

/// The missing parts of an op.
pub(super) struct Reprinted {
    /// Marks, keywords and types to insert, in the order of the text.
    pub(super) added: Vec<Insertion>,
    /// The one attribute that the user must choose, with the token before which it belongs.
    pub(super) choice: Option<(usize, u8)>,
}

/// The printed parts, in the order of the form.
enum Item {
    /// Tokens of the text.
    Source(Range<usize>),
    /// A mark or keyword of the form, which the text may have.
    Fixed { text: &'static str, apart: bool },
    /// Types that follow from the operands, which the text lacks.
    Types(String),
    /// A list without entries, whose bracket the text has.
    EmptyList,
    /// A required attribute that the text lacks.
    Choice(u8),
}

pub(super) struct Reprint<'r> {
    source: &'r Source<'r>,
    node: Node,
    types: &'r Types<'r>,
    items: Vec<Item>,
}

impl<'r> Reprint<'r> {
    pub(super) fn new(source: &'r Source<'r>, node: Node, types: &'r Types<'r>) -> Self {
        Reprint { source, node, types, items: Vec::new() }
    }

    /// What to insert. `None` where the op cannot be completed, or where the text has tokens that fit nowhere.
    pub(super) fn op(mut self) -> Option<Reprinted> {
        let results = self.parts(NodeKind::Result, None);
        if !results.is_empty() {
            self.list(&results);
            self.fixed("=", true);
        }
        let name = self.source.tree.child(self.node, NodeKind::OpName)?;
        self.push(name);
        self.pieces(&self.types.form.pieces)?;
        self.parts(NodeKind::Location, None).into_iter().for_each(|location| self.push(location));
        self.align()
    }

    fn pieces(&mut self, pieces: &[Piece]) -> Option<()> {
        pieces.iter().try_for_each(|piece| self.piece(piece))
    }

    fn piece(&mut self, piece: &Piece) -> Option<()> {
        match piece {
            Piece::Operand(slot) => self.operands(*slot),
            Piece::Mixed { operand, .. } => {
                let entries = self
                    .parts_where(|kind, slot| matches!(kind, NodeKind::Operand | NodeKind::Number) && slot == *operand);
                if entries.is_empty() {
                    self.items.push(Item::EmptyList);
                }
                self.list(&entries);
                Some(())
            }
            Piece::Attr { index, optional } => self.attr(*index, *optional),
            Piece::Region(index) => self.region(*index),
            Piece::Type(index) => self.type_list(*index),
            Piece::TypeArrow { before, after } => {
                let mut is_first = true;
                for &before in before {
                    if !self.parts(NodeKind::Type, Some(before)).is_empty() || self.types.exist(before) {
                        if !std::mem::replace(&mut is_first, false) {
                            self.fixed(Punct::Comma.text(), false);
                        }
                        self.type_list(before)?;
                    }
                }
                if !is_first {
                    self.fixed(Punct::Arrow.text(), true);
                }
                self.type_list(*after)
            }
            Piece::FunctionType(operands, results) => {
                let close = |this: &mut Self| this.fixed(Punct::RightParen.text(), false);
                self.fixed(Punct::LeftParen.text(), true);
                let operands = self.parts(NodeKind::Type, Some(*operands));
                self.list(&operands);
                close(self);
                self.fixed(Punct::Arrow.text(), true);
                let results = self.parts(NodeKind::Type, Some(*results));
                if results.len() != 1 {
                    self.fixed(Punct::LeftParen.text(), true);
                }
                self.list(&results);
                if results.len() != 1 {
                    close(self);
                }
                Some(())
            }
            Piece::Word(text) => {
                self.fixed(text, true);
                Some(())
            }
            Piece::Punct { mark, apart } => {
                self.fixed(mark.text(), *apart);
                Some(())
            }
            Piece::Group(pieces) if self.is_present(pieces) => self.pieces(pieces),
            Piece::Group(_) => Some(()),
            Piece::AnyOrder(pieces) => {
                let mut present: Vec<Node> = pieces.iter().flat_map(|piece| self.nodes_of(piece)).collect();
                present.sort();
                present.into_iter().for_each(|node| self.push(node));
                Some(())
            }
            Piece::Argument(region) => {
                let first = *self.parts(NodeKind::BlockArg, Some(*region)).first()?;
                self.push(first);
                Some(())
            }
            Piece::Bind { region, operand } => self.bind(*region, *operand),
            Piece::Signature(region) => {
                let signature = *self.parts(NodeKind::Signature, Some(*region)).first()?;
                self.push(signature);
                Some(())
            }
            Piece::Dict(keyword) => {
                for dict in self.parts(NodeKind::Dict, None) {
                    if *keyword {
                        self.fixed("attributes", true);
                    }
                    self.push(dict);
                }
                Some(())
            }
        }
    }

    fn operands(&mut self, slot: u8) -> Option<()> {
        let row = &self.types.row.operands[slot as usize];
        let operands = self.parts(NodeKind::Operand, Some(slot));
        let is_complete = !operands.is_empty() || row.arity == tile_dialect::Arity::Variadic;
        self.list(&operands);
        is_complete.then_some(())
    }

    fn attr(&mut self, index: u8, optional: bool) -> Option<()> {
        match self.parts(NodeKind::Attr, Some(index)).first() {
            Some(&attr) => self.push(attr),
            None if optional => {}
            None => self.items.push(Item::Choice(index)),
        }
        Some(())
    }

    fn region(&mut self, index: u8) -> Option<()> {
        let region = self.parts(NodeKind::Region, Some(index)).first().copied();
        let is_optional = self.types.row.regions[index as usize].optional;
        let Some(region) = region else { return is_optional.then_some(()) };
        if self.types.row.regions[index as usize].args == RegionArgs::Listed {
            self.fixed("(", true);
            let args = self.parts(NodeKind::BlockArg, Some(index));
            self.list(&args);
            self.fixed(")", false);
        }
        self.push(region);
        Some(())
    }

    /// `%a = %init, …`, without the block argument that the form names by itself.
    fn bind(&mut self, region: u8, operand: u8) -> Option<()> {
        let alone = self.types.form.pieces.iter().filter(|piece| matches!(piece, Piece::Argument(of) if *of == region));
        let args = self.parts(NodeKind::BlockArg, Some(region)).split_off(alone.count());
        let values = self.parts(NodeKind::Operand, Some(operand));
        if args.len() != values.len() {
            return None;
        }
        for (number, (&arg, &value)) in args.iter().zip(&values).enumerate() {
            if number > 0 {
                self.fixed(",", false);
            }
            self.push(arg);
            self.fixed("=", true);
            self.push(value);
        }
        Some(())
    }

    /// The types that the text has, or else those that follow from the operands.
    fn type_list(&mut self, index: u8) -> Option<()> {
        let stated = self.parts(NodeKind::Type, Some(index));
        if stated.iter().any(|&ty| self.is_only_a_word(ty)) {
            return None;
        }
        if stated.is_empty() {
            let derived = self.types.list(index)?;
            self.items.push(Item::Types(derived));
        } else {
            self.list(&stated);
        }
        Some(())
    }

    /// Whether the parser has read a word as a type that names none: `into`.
    fn is_only_a_word(&self, ty: Node) -> bool {
        let Source { text, tree } = *self.source;
        let word = tree.text(ty, text);
        let is_name = tree.tokens_of(ty).len() == 1 && tree.token(ty, 0) == Token::Name;
        is_name && word != "token" && Element::from_name(word).is_none()
    }

    /// Whether an optional group is there: the text has one of its parts, or values whose types it states.
    fn is_present(&self, pieces: &[Piece]) -> bool {
        let is_types_only = pieces.iter().all(|piece| matches!(piece, Piece::Punct { .. } | Piece::Type(_)));
        pieces.iter().any(|piece| match piece {
            Piece::Type(index) if is_types_only => !self.nodes_of(piece).is_empty() || self.types.exist(*index),
            _ => !self.nodes_of(piece).is_empty(),
        })
    }

    /// The parts of the text that a piece stands for.
    fn nodes_of(&self, piece: &Piece) -> Vec<Node> {
        match piece {
            Piece::Operand(slot) => self.parts(NodeKind::Operand, Some(*slot)),
            Piece::Attr { index, .. } => self.parts(NodeKind::Attr, Some(*index)),
            Piece::Type(index) => self.parts(NodeKind::Type, Some(*index)),
            Piece::Region(index) => self.parts(NodeKind::Region, Some(*index)),
            Piece::Bind { operand, .. } => self.parts(NodeKind::Operand, Some(*operand)),
            Piece::Group(pieces) | Piece::AnyOrder(pieces) => {
                pieces.iter().flat_map(|piece| self.nodes_of(piece)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn parts(&self, kind: NodeKind, slot: Option<u8>) -> Vec<Node> {
        self.parts_where(|found, at| found == kind && slot.is_none_or(|slot| slot == at))
    }

    fn parts_where(&self, is_wanted: impl Fn(NodeKind, u8) -> bool) -> Vec<Node> {
        let tree = self.source.tree;
        tree.children(self.node).filter(|&child| is_wanted(tree.kind(child), tree.slot(child))).collect()
    }

    fn push(&mut self, node: Node) {
        self.items.push(Item::Source(self.source.tree.tokens_of(node)));
    }

    fn fixed(&mut self, text: &'static str, apart: bool) {
        self.items.push(Item::Fixed { text, apart });
    }

    fn list(&mut self, nodes: &[Node]) {
        for (number, &node) in nodes.iter().enumerate() {
            if number > 0 {
                self.fixed(",", false);
            }
            self.push(node);
        }
    }

    /// Goes through what is printed and the tokens of the text side by side.
    fn align(self) -> Option<Reprinted> {
        let tree = self.source.tree;
        let tokens = tree.tokens_of(self.node);
        let mut at = tokens.start;
        let (mut added, mut choice) = (Vec::<Insertion>::new(), None);
        for item in self.items {
            match item {
                Item::Source(range) if range.start == at => at = range.end,
                Item::Source(_) => return None,
                Item::Fixed { text, .. } if at < tokens.end && tree.tokens.text(at, self.source.text) == text => {
                    at += 1
                }
                Item::Fixed { text, apart } => Insertion::push(&mut added, at, text, apart),
                Item::EmptyList if tree.tokens.text(at - 1, self.source.text) == Punct::LeftBracket.text() => {}
                Item::EmptyList => return None,
                Item::Types(types) => Insertion::push_types(&mut added, at, &types),
                Item::Choice(attr) if choice.is_none() => choice = Some((at, attr)),
                Item::Choice(_) => return None,
            }
        }
        (at == tokens.end).then_some(Reprinted { added, choice })
    }
}
