//! The types of an op in the notation of its form, if they follow from the operands.

use crate::ir::Value;
use crate::lower::infer::Signature;
use crate::types::Type;
use tile_dialect::form::{Form, Piece, Punct, Slot, TypeCount, TypePiece};
use tile_dialect::{Named, OpRow, Version};

/// The types of an op in the form of a version: everything from the first colon or arrow of the form to the regions.
pub(in crate::lower) fn written(form: &Form, row: &OpRow, signature: &Signature, version: Version) -> Option<String> {
    let start = form.pieces.iter().position(|piece| types_start(piece).is_some())?;
    let mut words = Vec::new();
    for piece in form.pieces[start..].iter().take_while(|piece| !matches!(piece, Piece::Region(_))) {
        write(piece, &Types { form, row, signature, version, is_certain: true }, &mut words)?;
    }
    Some(words.join(" ").replace(" ,", ","))
}

/// Where the types of an op start in this piece: a colon or an arrow, or its place in an optional group.
fn types_start(piece: &Piece) -> Option<usize> {
    let is_mark = |piece: &Piece| matches!(piece, Piece::Punct { mark: Punct::Colon | Punct::Arrow, .. });
    match piece {
        Piece::Group(pieces) => pieces.iter().position(is_mark),
        _ => is_mark(piece).then_some(0),
    }
}

/// The types of an op with these operand types, one list for each operand of its row, and a type for results that do
/// not follow from them: everything from the first colon or arrow. `None` if a type is missing or does not fit.
pub(crate) fn types_text(named: Named, groups: &[Vec<Type>], result: Option<Type>, version: Version) -> Option<String> {
    let mut signature = Signature::new(named.row);
    for group in groups {
        group.iter().for_each(|&ty| signature.push_operand(Value(0), ty, 0..0));
        signature.end_group();
    }
    if let Some(ty) = result {
        signature.state_result(named.row, ty);
    }
    written(named.form(), named.row, &signature.derived(named.row)?, version)
}

/// The types of an op, and their form.
pub(super) struct Types<'a> {
    pub(super) form: &'a Form,
    pub(super) row: &'a OpRow,
    pub(super) signature: &'a Signature,
    pub(super) version: Version,
    /// Whether the types follow from the operands and satisfy the rules of the op.
    pub(super) is_certain: bool,
}

/// Writes a piece. `None` if a type is unknown, or if the piece is not about types.
fn write(piece: &Piece, types: &Types, words: &mut Vec<String>) -> Option<()> {
    match piece {
        Piece::Punct { mark, .. } => words.push(mark.text().to_string()),
        Piece::Type(index) => words.push(types.list(*index)?),
        Piece::TypeArrow { before, after } => {
            let before = before.iter().filter(|&&before| types.exist(before));
            let before = before.map(|&before| types.list(before)).collect::<Option<Vec<String>>>()?;
            if !before.is_empty() {
                words.extend([before.join(", "), Punct::Arrow.text().to_string()]);
            }
            words.push(types.list(*after)?);
        }
        Piece::Group(pieces) => {
            let about = pieces.iter().find_map(|piece| match piece {
                Piece::Type(index) => Some(*index),
                _ => None,
            });
            if types.exist(about?) {
                let start = types_start(piece).unwrap_or(0);
                pieces[start..].iter().try_for_each(|piece| write(piece, types, words))?;
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

    /// Whether the values of these types are present, and supported by the version.
    pub(super) fn exist(&self, index: u8) -> bool {
        let since = |slot: Slot| match slot {
            Slot::Result(index) => self.row.results[index as usize].since,
            Slot::Operand(index) => self.row.operands[index as usize].since,
            Slot::Attr(_) => self.row.since,
        };
        let piece = self.piece(index);
        let is_written =
            |ty: &Option<Type>| piece.count != TypeCount::Attributed || ty.is_some_and(Type::has_pointer_attr);
        piece
            .slots
            .iter()
            .any(|&slot| since(slot) <= self.version && self.signature.slot_types(slot).iter().any(is_written))
    }

    /// The types of one piece, written once or for each value according to its count.
    pub(super) fn list(&self, index: u8) -> Option<String> {
        let piece = self.piece(index);
        if !self.is_certain {
            return None;
        }
        let types: Option<Vec<Type>> = piece.slots.iter().flat_map(|&slot| self.signature.slot_types(slot)).collect();
        let types = types?;
        let (first, others) = types.split_first()?;
        let is_one = others.iter().all(|ty| ty == first);
        match piece.count {
            TypeCount::One | TypeCount::Attributed | TypeCount::OneOrEach if is_one => Some(first.to_string()),
            TypeCount::One | TypeCount::Attributed => None,
            _ => Some(types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ")),
        }
    }
}
