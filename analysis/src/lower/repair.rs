//! Types that follow from an op's operands, offered where the text leaves them out or says something else.

use super::Lowerer;
use super::parts::Parts;
use super::types::Signature;
use crate::diagnostic::{Edit, Fix};
use crate::diagnostics as d;
use crate::ir::Value;
use crate::types::Type;
use std::ops::Range;
use tile_dialect::form::{Form, Piece, Punct, Slot, TypeCount, TypePiece};
use tile_dialect::{Named, OpRow, Presence, Version, lookup};
use tile_syntax::{Node, NodeKind, Token};

impl Lowerer<'_> {
    /// Offers the types of an op that is not written as it should be: to the mistakes that were told since `told`, or to
    /// the parser's about types that are missing.
    pub(super) fn offer_types(&mut self, node: Node, named: Named, parts: &Parts, signature: &Signature, told: usize) {
        let Some(place) = self.types_place(node, parts) else { return };
        // Whatever else is wrong with the text of the op must be mended by hand first.
        let parsed = self.errors_in(&self.range(node));
        let is_type = |number: usize| {
            self.syntax_errors[number].start >= place.start && d::is_missing_text(&self.diagnostics[number])
        };
        if !parsed.clone().all(is_type) {
            return;
        }
        let Some(signature) = signature.derived(named.row) else { return };
        let version = self.context.options.version;
        let types = written(named.form(), named.row, &signature, version).filter(|types| !types.is_empty());
        let Some(types) = types else { return };
        let parsed = parsed.filter(|&number| self.syntax_errors[number].start <= place.end);
        let wrong: Vec<usize> = parsed.chain(told..self.diagnostics.len()).collect();
        let is_absent = place.is_empty();
        let fix =
            Fix { title: format!("write `{types}`"), edits: vec![Edit { range: place, content: format!(" {types}") }] };
        for number in wrong {
            let diagnostic = &mut self.diagnostics[number];
            if number < told {
                match diagnostic.labels.first_mut() {
                    // The place is on another line, where NVIDIA's checker has it.
                    Some(label) => label.message = format!("`{types}` belongs here"),
                    None if is_absent => diagnostic.message = format!("`{types}` is missing here"),
                    None => diagnostic.label = format!("its operands make it `{types}`"),
                }
                diagnostic.fixes = vec![fix.clone()];
            } else if d::is_type_clash(diagnostic) {
                diagnostic.fixes = vec![fix.clone()];
            }
        }
    }

    /// Where operands are of the wrong class, offers the op of the same name that takes them: `addf` in the place of `addi`.
    pub(super) fn offer_sibling(&mut self, row: &'static OpRow, parts: &Parts, signature: &Signature, told: usize) {
        let Some(name) = parts.name.map(|name| self.range(name)) else { return };
        let Some(sibling) = sibling(row).filter(|sibling| parts.attrs.is_empty() && signature.suits(sibling)) else {
            return;
        };
        let end = name.end - row.name.len() as u32;
        for diagnostic in self.diagnostics[told..].iter_mut().filter(|found| d::is_wrong_class(found)) {
            let edits = vec![Edit { range: end..name.end, content: sibling.name.to_string() }];
            diagnostic.fixes = vec![Fix { title: format!("write `{}`, which takes these", sibling.name), edits }];
        }
    }

    /// Where the types of an op stand or belong, with the blank before them.
    pub(super) fn types_place(&self, node: Node, parts: &Parts) -> Option<Range<u32>> {
        let is_before = |child: &Node| {
            matches!(
                self.tree.kind(*child),
                NodeKind::OpName
                    | NodeKind::Operand
                    | NodeKind::Number
                    | NodeKind::Attr
                    | NodeKind::Dict
                    | NodeKind::BlockArg
            )
        };
        let tokens = self.tree.tokens_of(node);
        let before = self.tree.children(node).filter(is_before).map(|child| self.tree.tokens_of(child).end).max()?;
        let behind = |child: &Node| matches!(self.tree.kind(*child), NodeKind::Region | NodeKind::Location);
        let behind = self.tree.children(node).filter(behind).map(|child| self.tree.tokens_of(child).start).min();
        let end = behind.unwrap_or(tokens.end);
        let mut start = before;
        while start < end && matches!(self.tree.tokens.kind(start), Token::RightBracket | Token::RightParen) {
            start += 1;
        }
        let first = parts.types.iter().map(|(.., ty)| self.tree.tokens_of(*ty).start).min();
        let fits = start <= end && first.is_none_or(|first| first >= start);
        fits.then(|| {
            self.tree.tokens.end(start - 1)..self.tree.tokens.end(end - 1).max(self.tree.tokens.end(start - 1))
        })
    }
}

/// The op that does to floats what this does to integers, or the other way round: their names differ in the last letter.
fn sibling(row: &OpRow) -> Option<&'static OpRow> {
    let (stem, other) =
        row.name.strip_suffix('i').map(|stem| (stem, 'f')).or_else(|| Some((row.name.strip_suffix('f')?, 'i')))?;
    let found = lookup(&format!("{stem}{other}"))?.row;
    found.attrs.iter().all(|attr| attr.presence != Presence::Required).then_some(found)
}

/// How a version writes the types of an op: everything from the first colon or arrow of its form to its regions.
pub(super) fn written(form: &Form, row: &OpRow, signature: &Signature, version: Version) -> Option<String> {
    let starts = |piece: &Piece| match piece {
        Piece::Punct { mark, .. } => matches!(mark, Punct::Colon | Punct::Arrow),
        Piece::Group(pieces) => matches!(pieces[0], Piece::Punct { mark: Punct::Colon | Punct::Arrow, .. }),
        _ => false,
    };
    let start = form.pieces.iter().position(starts)?;
    let mut words = Vec::new();
    for piece in form.pieces[start..].iter().take_while(|piece| !matches!(piece, Piece::Region(_))) {
        write(piece, &Types { form, row, signature, version }, &mut words)?;
    }
    Some(words.join(" ").replace(" ,", ","))
}

/// How the types of an op are written whose operands have these types, a list for each operand of its row: everything from
/// the first colon or arrow. `None` where the results do not follow from them.
pub(crate) fn types_text(named: Named, groups: &[Vec<Type>], version: Version) -> Option<String> {
    let mut signature = Signature::new(named.row);
    for group in groups {
        group.iter().for_each(|&ty| signature.push_operand(Value(0), ty, 0..0));
        signature.end_group();
    }
    written(named.form(), named.row, &signature.derived(named.row)?, version)
}

/// The types of an op and how they are written.
struct Types<'a> {
    form: &'a Form,
    row: &'a OpRow,
    signature: &'a Signature,
    version: Version,
}

/// `None` where a type is not known, or where more than types is written.
fn write(piece: &Piece, types: &Types, words: &mut Vec<String>) -> Option<()> {
    match piece {
        Piece::Punct { mark, .. } => words.push(mark.text().to_string()),
        Piece::Type(index) => words.push(types.list(*index)?),
        Piece::TypeArrow(before, after) => {
            if types.exist(*before) {
                words.push(types.list(*before)?);
                words.push(Punct::Arrow.text().to_string());
            }
            words.push(types.list(*after)?);
        }
        Piece::Group(pieces) => {
            let about = pieces.iter().find_map(|piece| match piece {
                Piece::Type(index) => Some(*index),
                _ => None,
            });
            if types.exist(about?) {
                pieces.iter().try_for_each(|piece| write(piece, types, words))?;
            }
        }
        Piece::Dict(_) => {}
        _ => return None,
    }
    Some(())
}

impl Types<'_> {
    fn piece(&self, index: u8) -> &TypePiece {
        &self.form.types[index as usize]
    }

    /// Whether there are values that these types are about, and the version knows them.
    fn exist(&self, index: u8) -> bool {
        let since = |slot: Slot| match slot {
            Slot::Result(index) => self.row.results[index as usize].since,
            Slot::Operand(index) => self.row.operands[index as usize].since,
            Slot::Attr(_) => self.row.since,
        };
        self.piece(index)
            .slots
            .iter()
            .any(|&slot| since(slot) <= self.version && !self.signature.slot_types(slot).is_empty())
    }

    /// The types of one piece, as its count says.
    fn list(&self, index: u8) -> Option<String> {
        let piece = self.piece(index);
        let types: Option<Vec<Type>> = piece.slots.iter().flat_map(|&slot| self.signature.slot_types(slot)).collect();
        let types = types?;
        let (first, others) = types.split_first()?;
        let is_one = others.iter().all(|ty| ty == first);
        match piece.count {
            TypeCount::One | TypeCount::OneOrEach if is_one => Some(first.to_string()),
            TypeCount::One => None,
            _ => Some(types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ")),
        }
    }
}
