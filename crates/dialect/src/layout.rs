//! The notation for the bytecode layout of an op's body, after the opcode.
//!
//! | notation | meaning |
//! |---|---|
//! | `results` | one type index for each result |
//! | `results#` | a count, then one type index for each result |
//! | `flags(a b)` | a varint of presence bits; the first name is bit 0 |
//! | `x` | an attribute, encoded according to its kind, or the value index of an operand |
//! | `x?` | the same, but only present if its flag bit is set |
//! | `x#` | a count, then the operands of the group |
//! | `all(x y)` | the total count, then the operands of all groups |
//! | `region` | all nested regions |
//! | `p@13.2` | piece `p`, present from that version on |

use crate::mnemonic::COUNT;
use crate::{Mnemonic, OpRow, Version, ops};
use std::sync::OnceLock;

/// One piece of a layout.
#[derive(Debug)]
pub struct Piece {
    /// The content of the piece.
    pub what: What,
    /// The first version whose bytecode contains it.
    pub since: Version,
}

/// The content of a piece. Numbers are indices into the row's operands and attributes.
#[derive(Debug)]
pub enum What {
    /// The result types.
    Results {
        /// Whether their count comes first.
        counted: bool,
    },
    /// Presence bits.
    Flags(Vec<Field>),
    /// One attribute or operand.
    One {
        /// The attribute or operand.
        field: Field,
        /// Whether a flag bit states that it is present.
        flagged: bool,
    },
    /// The count and the operands of one group.
    Counted(u8),
    /// The total count and the operands of several groups.
    All(Vec<u8>),
    /// The nested regions.
    Regions,
}

/// An attribute or an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// The attribute with this index.
    Attr(u8),
    /// The operand with this index.
    Operand(u8),
}

/// The layout of an op.
pub fn layout(op: Mnemonic) -> &'static [Piece] {
    static LAYOUTS: [OnceLock<Vec<Piece>>; COUNT] = [const { OnceLock::new() }; COUNT];
    LAYOUTS[op as usize].get_or_init(|| compile(ops()[op as usize]))
}

/// Compiles the layout of `row`. Panics on a malformed layout; a test compiles every layout of the table.
pub fn compile(row: &'static OpRow) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(8);
    let mut rest = row.layout;
    while !rest.is_empty() {
        let (piece, tail) = rest.split_at(piece_length(rest));
        let (text, since) = match piece.split_once('@') {
            Some((text, since)) => (text, Version::from_name(since)),
            None => (piece, Some(row.since)),
        };
        let since = since.unwrap_or_else(|| panic!("{}: unknown version in `{piece}`", row.name));
        pieces.push(Piece { what: what(row, text), since });
        rest = tail.trim_ascii_start();
    }
    pieces
}

/// The length of the first piece, which ends at the first space outside parentheses.
fn piece_length(layout: &str) -> usize {
    let mut nested = false;
    let ends = |byte: u8| {
        nested = byte == b'(' || nested && byte != b')';
        byte == b' ' && !nested
    };
    layout.bytes().position(ends).unwrap_or(layout.len())
}

fn what(row: &OpRow, text: &str) -> What {
    let list = |prefix: &str| text.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(')'));
    match text {
        "results" => What::Results { counted: false },
        "results#" => What::Results { counted: true },
        "region" => What::Regions,
        _ => {
            if let Some(names) = list("flags(") {
                What::Flags(names.split(' ').map(|name| field(row, name)).collect())
            } else if let Some(names) = list("all(") {
                What::All(names.split(' ').map(|name| operand(row, name)).collect())
            } else if let Some(name) = text.strip_suffix('#') {
                What::Counted(operand(row, name))
            } else if let Some(name) = text.strip_suffix('?') {
                What::One { field: field(row, name), flagged: true }
            } else {
                What::One { field: field(row, text), flagged: false }
            }
        }
    }
}

fn operand(row: &OpRow, name: &str) -> u8 {
    row.operand_named(name).unwrap_or_else(|| panic!("{}: no attribute or operand is called `{name}`", row.name)).0
        as u8
}

fn field(row: &OpRow, name: &str) -> Field {
    match row.attr_named(name) {
        Some((index, _)) => Field::Attr(index as u8),
        None => Field::Operand(operand(row, name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A piece added in a later version contains only fields added in that version or later, so that nothing is lost
    /// without a warning when the piece is omitted.
    #[test]
    fn fields_are_not_older_than_their_piece() {
        for row in ops() {
            for piece in layout(row.op).iter().filter(|piece| piece.since > row.since) {
                let fields = match &piece.what {
                    What::Flags(fields) => fields.clone(),
                    What::One { field, .. } => vec![*field],
                    what => panic!("{}: {what:?} cannot have a version", row.name),
                };
                for field in fields {
                    let since = match field {
                        Field::Attr(index) => row.attrs[index as usize].since,
                        Field::Operand(index) => row.operands[index as usize].since,
                    };
                    assert!(
                        since >= piece.since,
                        "{}: {field:?} is since {since}, but its piece since {}",
                        row.name,
                        piece.since
                    );
                }
            }
        }
    }

    #[test]
    fn every_attribute_and_operand_is_encoded() {
        for row in ops().iter().filter(|row| row.opcode.is_some()) {
            let named = |wanted: Field| {
                layout(row.op).iter().any(|piece| match &piece.what {
                    What::One { field, .. } => *field == wanted,
                    What::Flags(fields) => fields.contains(&wanted),
                    What::Counted(index) => Field::Operand(*index) == wanted,
                    What::All(indices) => indices.iter().any(|&index| Field::Operand(index) == wanted),
                    What::Results { .. } | What::Regions => false,
                })
            };
            let attrs = (0..row.attrs.len()).map(|index| Field::Attr(index as u8));
            let operands = (0..row.operands.len()).map(|index| Field::Operand(index as u8));
            for field in attrs.chain(operands) {
                assert!(named(field), "{}: {field:?} is not encoded", row.name);
            }
        }
    }
}
