//! Fused multiply-add: an `addf` of a product becomes an `fma`, which rounds once.
//!
//! The language rounds the product and the sum separately, so in general the result of an `fma` differs. It is the same
//! if the product needs no rounding ([`exact`]): then both round only the sum. Otherwise the ops are fused only if the
//! user permits it (`--allow contract`), and if both round to the nearest number in the same way.

mod exact;

use crate::change::{Change, Changes, NewOp};
use crate::entry::Entry;
use crate::ops::{attr, choice, flag};
use tile_analysis::ir::{Attr, Op, OpId, Value};
use tile_dialect::{AttrName, Mnemonic, rounding};

pub(super) fn changes(entry: &Entry<'_>, contract: bool) -> Changes {
    let sums = entry.ops().filter(|(_, op)| op.op == Mnemonic::Addf);
    sums.filter_map(|(id, op)| fused(entry, id, op, contract)).collect()
}

/// Fuses an addition with the product that is one of its operands.
fn fused(entry: &Entry<'_>, id: OpId, sum: &Op, contract: bool) -> Option<Vec<Change>> {
    let body = entry.body();
    let &[left, right] = body.operands(sum) else { return None };
    let (product, value, other) = [(left, right), (right, left)].into_iter().find_map(|(value, other)| {
        let product = entry.defined_by(value, Mnemonic::Mulf)?;
        may_fuse(entry, product, sum, contract).then_some((product, value, other))
    })?;
    let &[a, b] = body.operands(product) else { return None };
    [a, b, other].iter().try_for_each(|operand| entry.name_of(*operand).map(|_| ()))?;
    let row = Mnemonic::Fma.row();
    let attrs = row.attrs.iter().map(|row| {
        let of_sum = sum.op.row().attr_named(row.name).map(|(index, _)| body.attr(sum, index).clone());
        of_sum.unwrap_or_else(|| Attr::default_of(row))
    });
    let new = NewOp { op: Mnemonic::Fma, groups: vec![vec![a], vec![b], vec![other]], attrs: attrs.collect() };
    let is_last = entry.use_count(value) == 1;
    let removed = body.defining_op(value).filter(|_| is_last).map(Change::Remove);
    Some([Change::Rewrite(id, new)].into_iter().chain(removed).collect())
}

/// Whether an `fma` gives the same result as a product and a sum, or may give another one.
fn may_fuse(entry: &Entry<'_>, product: &Op, sum: &Op, contract: bool) -> bool {
    let body = entry.body();
    let flushes = |op: &Op| flag(body, op, AttrName::FlushToZero);
    if !flushes(product) && !flushes(sum) && exact::is_exact(entry, product) {
        return true;
    }
    let is_nearest = |op: &Op| choice(body, op, AttrName::RoundingMode) == rounding::NEAREST_EVEN;
    // A product that other ops use would be computed twice.
    let is_used_once = entry.use_count(Value(product.results.start)) == 1;
    let is_alike = attr(body, product, AttrName::FlushToZero) == attr(body, sum, AttrName::FlushToZero);
    contract && is_used_once && is_nearest(product) && is_nearest(sum) && is_alike
}
