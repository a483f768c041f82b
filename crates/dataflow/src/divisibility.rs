//! The powers of two that values are divisible by, as far as a program states them.

use tile_analysis::ir::{Attr, Body, OpId, Predicate, RegionId, Value};
use tile_dialect::Mnemonic as M;

/// The maximum number of ops that are followed from a value.
const MAX_DEPTH: usize = 16;

/// Whether a number or an address is divisible by a power of 2 according to constants and `assume`.
pub fn is_stated(body: &Body, value: Value, divisor: u64) -> bool {
    1 << known_zeros(body, value, MAX_DEPTH).min(63) >= divisor
}

/// The number of low bits of a value that an `assume` states to be 0 whenever an op runs that follows it.
pub(crate) fn stated_zeros(body: &Body, value: Value, before: OpId) -> u32 {
    let mut assumes = Vec::new();
    collect_before(body, RegionId(0), before, &mut assumes);
    let of_value = assumes.into_iter().filter(|&id| origin(body, id) == Some(value));
    of_value.map(|id| stated(body, id)).max().unwrap_or(0)
}

/// Collects each `assume` that precedes an op in the regions around it. Returns whether the op is in the region.
fn collect_before(body: &Body, region: RegionId, before: OpId, found: &mut Vec<OpId>) -> bool {
    for &id in body.region(region).ops.iter().take_while(|id| **id <= before) {
        let op = body.op(id);
        if id == before {
            return true;
        }
        if op.op == M::Assume {
            found.push(id);
        }
        let outer = found.len();
        for inner in body.regions_of(op) {
            if collect_before(body, inner, before, found) {
                return true;
            }
            found.truncate(outer);
        }
    }
    false
}

/// The value that a chain of `assume` begins with.
fn origin(body: &Body, assume: OpId) -> Option<Value> {
    let value = body.operand(body.op(assume), 0)?;
    match body.defining_op(value).filter(|&id| body.op(id).op == M::Assume) {
        Some(earlier) => origin(body, earlier),
        None => Some(value),
    }
}

/// The number of low bits of a value that are known to be 0.
fn known_zeros(body: &Body, value: Value, depth: usize) -> u32 {
    let Some(id) = body.defining_op(value).filter(|_| depth > 0) else { return 0 };
    let op = body.op(id);
    let of = |index: usize| body.operand(op, index).map_or(0, |operand| known_zeros(body, operand, depth - 1));
    match op.op {
        M::Assume => of(0).max(stated(body, id)),
        M::Constant => constant(body, id).map_or(0, |number| number.trailing_zeros()),
        M::Muli => of(0) + of(1),
        M::Addi | M::Subi => of(0).min(of(1)),
        M::Exti | M::Trunci => of(0),
        _ => 0,
    }
}

/// The number of low bits that an `assume` states to be 0.
fn stated(body: &Body, assume: OpId) -> u32 {
    let divisor = |attr: &Attr| match attr {
        Attr::Predicate(Predicate::DivBy { divisor, every_along: None }) => Some(divisor.trailing_zeros()),
        _ => None,
    };
    body.attrs_of(body.op(assume)).iter().find_map(divisor).unwrap_or(0)
}

/// The number that a constant consists of.
fn constant(body: &Body, constant: OpId) -> Option<u64> {
    let number = |attr: &Attr| match attr {
        Attr::Dense(dense) => <[u64; 1]>::try_from(&*dense.bits).ok().map(|[bits]| bits),
        _ => None,
    };
    body.attrs_of(body.op(constant)).iter().find_map(number)
}
