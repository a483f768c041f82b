//! The custom form of an op, written from its row of the table.

use tile_dialect::form::{Piece, Slot};
use tile_dialect::{AttrKind, Named, OpRow, Presence};

/// Writes an op whose operands and results are single values and whose attributes are enums and flags. `attrs` contains
/// the value of each attribute, or `None` if it is absent. Returns `None` if the form contains anything else.
pub(super) fn spell(
    row: &'static OpRow,
    operands: &[String],
    types: &Types<'_>,
    attrs: &[Option<u8>],
) -> Option<String> {
    let form = Named { row, spelling: None }.form();
    let mut text = row.name.to_string();
    let flat = |piece: &'static Piece| match piece {
        Piece::AnyOrder(pieces) => pieces.iter().collect(),
        piece => vec![piece],
    };
    for piece in form.pieces.iter().flat_map(flat) {
        let word = match piece {
            Piece::Operand(index) => operands[usize::from(*index)].clone(),
            Piece::Attr { index, .. } => attr(row, usize::from(*index), attrs[usize::from(*index)])?,
            Piece::Type(index) => match form.types[usize::from(*index)].slots.first()? {
                Slot::Operand(index) => types.operands[usize::from(*index)].clone(),
                Slot::Result(index) => types.results[usize::from(*index)].clone(),
                Slot::Attr(_) => return None,
            },
            Piece::Word(word) => (*word).to_string(),
            Piece::Punct { mark, .. } => {
                if mark.text() != "," {
                    text.push(' ');
                }
                text.push_str(mark.text());
                continue;
            }
            Piece::Dict(_) => continue,
            _ => return None,
        };
        if !word.is_empty() {
            text.push(' ');
            text.push_str(&word);
        }
    }
    Some(text)
}

/// The types of an op's operands and results.
pub(super) struct Types<'a> {
    pub(super) operands: &'a [String],
    pub(super) results: &'a [String],
}

fn attr(row: &OpRow, index: usize, value: Option<u8>) -> Option<String> {
    let attr = &row.attrs[index];
    Some(match (attr.kind, value) {
        (_, None) => String::new(),
        (AttrKind::Flag(word), Some(_)) => word.to_string(),
        (AttrKind::Enum { of, wrapper: "", .. }, Some(value)) => of.keyword(value).to_string(),
        (AttrKind::Enum { of, wrapper, .. }, Some(value)) => format!("{wrapper}<{}>", of.keyword(value)),
        _ => return None,
    })
}

/// The values that an attribute can have, including absence. `None` if it is not an enum or a flag.
pub(super) fn values(row: &OpRow, index: usize) -> Option<Vec<Option<u8>>> {
    let attr = &row.attrs[index];
    match attr.kind {
        AttrKind::Flag(_) => Some(vec![None, Some(1)]),
        AttrKind::Enum { of, only, .. } => {
            let all: Vec<u8> = if only.is_empty() { (0..of.values.len() as u8).collect() } else { only.to_vec() };
            let absent = (attr.presence != Presence::Required).then_some(None);
            Some(absent.into_iter().chain(all.into_iter().map(Some)).collect())
        }
        _ => None,
    }
}
