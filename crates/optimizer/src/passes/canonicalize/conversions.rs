//! Conversions that do nothing, and conversions of conversions.

use super::simpler::{Simpler, with_operands};
use crate::entry::Entry;
use crate::ops::{choice, is_signed};
use tile_analysis::ir::{Op, Value};
use tile_dialect::{AttrName, Mnemonic as M};

pub(super) fn chain(entry: &Entry<'_>, op: &Op) -> Option<Simpler> {
    let body = entry.body();
    if !matches!(op.op, M::Bitcast | M::PtrToPtr | M::Exti | M::Trunci) {
        return None;
    }
    let (source, ty) = (*body.operands(op).first()?, body.ty(Value(op.results.start)));
    if body.ty(source) == ty {
        return Some(Simpler::Value(source));
    }
    let inner = body.defining_op(source).map(|id| body.op(id))?;
    let first = *body.operands(inner).first()?;
    let promises = |op: &Op| choice(body, op, AttrName::Overflow) != 0;
    let is_one = match (inner.op, op.op) {
        (M::Bitcast, M::Bitcast) | (M::PtrToPtr, M::PtrToPtr) => true,
        (M::Exti, M::Exti) => is_signed(body, inner) == is_signed(body, op),
        (M::Trunci, M::Trunci) => !promises(inner) && !promises(op),
        // The added bits are dropped again.
        (M::Exti, M::Trunci) if body.ty(first) == ty => return Some(Simpler::Value(first)),
        _ => false,
    };
    if is_one && body.ty(first) == ty {
        return Some(Simpler::Value(first));
    }
    is_one.then(|| Simpler::Op(with_operands(entry, op, &[first])))
}
