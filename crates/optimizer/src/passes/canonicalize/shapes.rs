//! Changes of shapes that do nothing, and changes of changes.

use super::simpler::{Simpler, with_operands};
use crate::entry::Entry;
use crate::ops::attr;
use tile_analysis::ir::{Attr, Op, Value};
use tile_dialect::{AttrName, Mnemonic as M};

/// A `reshape` or `broadcast` to the same shape, a `permute` that keeps the order.
pub(super) fn unchanged(entry: &Entry<'_>, op: &Op) -> Option<Simpler> {
    let body = entry.body();
    let source = *body.operands(op).first()?;
    let is_same = body.ty(source) == body.ty(Value(op.results.start));
    let is_unchanged = match op.op {
        M::Reshape | M::Broadcast => is_same,
        // The only slice of this size is the whole tile.
        M::Extract => is_same,
        M::Permute => permutation(entry, op)?.iter().enumerate().all(|(index, dim)| index as i64 == *dim),
        _ => false,
    };
    is_unchanged.then_some(Simpler::Value(source))
}

/// A `reshape` of a `reshape`, a `broadcast` of a `broadcast`, a `permute` of a `permute`.
pub(super) fn chain(entry: &Entry<'_>, op: &Op) -> Option<Simpler> {
    if !matches!(op.op, M::Reshape | M::Broadcast | M::Permute) {
        return None;
    }
    let body = entry.body();
    let inner = entry.defined_by(*body.operands(op).first()?, op.op)?;
    let mut new = with_operands(entry, op, body.operands(inner));
    if op.op == M::Permute {
        let (first, second) = (permutation(entry, inner)?, permutation(entry, op)?);
        let composed: Option<Vec<i64>> = second.iter().map(|&dim| first.get(dim as usize).copied()).collect();
        let (index, _) = op.op.row().attr(AttrName::Permutation)?;
        *new.attrs.get_mut(index)? = Attr::IntList(composed?.into());
    }
    Some(Simpler::Op(new))
}

fn permutation<'e>(entry: &'e Entry<'_>, op: &Op) -> Option<&'e [i64]> {
    match attr(entry.body(), op, AttrName::Permutation)? {
        Attr::IntList(list) => Some(list),
        _ => None,
    }
}
