//! Constant operands on the right.

use super::simpler::{Simpler, with_operands};
use crate::entry::Entry;
use tile_analysis::ir::{Attr, Op};
use tile_analysis::number::decode;
use tile_dialect::{AttrName, Mnemonic as M, predicate};

pub(super) fn constant_on_the_right(entry: &Entry<'_>, op: &Op) -> Option<Simpler> {
    let &[left, right] = entry.body().operands(op) else { return None };
    let constant = entry.constant(left)?;
    if entry.constant(right).is_some() {
        return None;
    }
    let is_number = |bits: &u64| !decode(constant.element, *bits).is_nan();
    let can_swap = match op.op {
        M::Addi | M::Muli | M::Mulhii | M::Andi | M::Ori | M::Xori | M::Maxi | M::Mini | M::Cmpi => true,
        // Of two NaNs, the result can be either.
        M::Addf | M::Mulf => constant.bits.iter().all(is_number),
        M::Cmpf => true,
        _ => false,
    };
    if !can_swap {
        return None;
    }
    let mut new = with_operands(entry, op, &[right, left]);
    if let Some((index, _)) = op.op.row().attr(AttrName::ComparisonPredicate) {
        new.attrs[index] = Attr::Enum(mirrored(new.attrs[index].as_enum()?));
    }
    Some(Simpler::Op(new))
}

/// The comparison that holds for swapped operands.
fn mirrored(comparison: u8) -> u8 {
    match comparison {
        predicate::LESS_THAN => predicate::GREATER_THAN,
        predicate::LESS_THAN_OR_EQUAL => predicate::GREATER_THAN_OR_EQUAL,
        predicate::GREATER_THAN => predicate::LESS_THAN,
        predicate::GREATER_THAN_OR_EQUAL => predicate::LESS_THAN_OR_EQUAL,
        same => same,
    }
}
