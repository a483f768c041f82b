//! Integer arithmetic with 0, 1 and -1, or with equal operands.

use super::simpler::Simpler;
use crate::entry::Entry;
use crate::ops::choice;
use tile_analysis::ir::{Op, Value};
use tile_dialect::{AttrName, Mnemonic as M, predicate};

/// `x + 0`, `x * 1`, `x & 0` and the like.
pub(super) fn identity(entry: &Entry<'_>, op: &Op) -> Option<Simpler> {
    let &[left, right] = entry.body().operands(op) else { return None };
    let bits = entry.splat(right)?;
    let element = entry.constant(right)?.element;
    let all_ones = u64::MAX >> (64 - element.bits());
    match op.op {
        M::Addi | M::Subi | M::Ori | M::Xori | M::Shli | M::Shri | M::Offset if bits == 0 => Some(Simpler::Value(left)),
        M::Muli | M::Divi if bits == 1 => Some(Simpler::Value(left)),
        M::Andi if bits == all_ones => Some(Simpler::Value(left)),
        M::Muli | M::Andi if bits == 0 => Some(Simpler::Splat(0)),
        M::Ori if bits == all_ones => Some(Simpler::Splat(all_ones)),
        M::Remi if bits == 1 => Some(Simpler::Splat(0)),
        _ => None,
    }
}

/// `x - x`, `x & x`, `x <= x` and the like.
pub(super) fn same_operands(entry: &Entry<'_>, op: &Op) -> Option<Simpler> {
    let body = entry.body();
    let &[left, right] = body.operands(op) else { return None };
    if left != right {
        return None;
    }
    match op.op {
        M::Subi | M::Xori => Some(Simpler::Splat(0)),
        M::Andi | M::Ori | M::Maxi | M::Mini => Some(Simpler::Value(left)),
        M::Cmpi => {
            let holds = [predicate::EQUAL, predicate::LESS_THAN_OR_EQUAL, predicate::GREATER_THAN_OR_EQUAL];
            Some(Simpler::Splat(holds.contains(&choice(body, op, AttrName::ComparisonPredicate)).into()))
        }
        _ => None,
    }
}

/// `-(-x)`. The most negative number is its own negation. In floats, it changes the sign twice.
pub(super) fn double_negation(entry: &Entry<'_>, op: &Op) -> Option<Simpler> {
    let &[source] = entry.body().operands(op) else { return None };
    let inner: &Op = entry.defined_by(source, op.op)?;
    let element = entry.body().ty(source).as_tile()?.number()?;
    // In narrower floats, the first negation of a NaN gives the canonical one.
    let is_double = op.op == M::Negi || op.op == M::Negf && element.bits() >= 32;
    let operand: Value = *entry.body().operands(inner).first()?;
    is_double.then_some(Simpler::Value(operand))
}
