//! Affine addressing: tiles whose elements have constant strides, in one or two dimensions, are represented by a few
//! numbers. Examples are `iota`, sums with it, and pointers to the rows of a matrix. Most tiles of indices and pointers
//! are affine, and an op on a few numbers computes all their elements, including those of the same tile in the
//! following tile blocks (`batch`).
//!
//! A rule computes the representation of a result from those of the operands, or returns `None` if that is not
//! possible; then the general kernel computes with stored elements. Integers are 64-bit numbers whose low bits count.
//!
//! The f32 matrix product through pointers takes 1.7 times as long without it (`benches/engine.rs`).

pub(crate) mod access;
pub(crate) mod affine_tile;
pub(crate) mod fast_path;

use crate::ops::context::{Mode, OpContext, Tiled};
use crate::ops::integer::{Int, with_int};
use crate::ops::kernel::{Kernel, constant};
use crate::optimize::affine::affine_tile::AffineTile;
use crate::optimize::affine::fast_path::FastPath;
use crate::values::tile::{ScalarKind, Tile};
use crate::values::value::Value;
use tile_analysis::ir::Attr;
use tile_dialect::{AttrName, Element, Mnemonic as M, OperandName, predicate};

/// Computes the representation of a result.
pub(crate) type Rule = Box<dyn Fn(&[AffineTile]) -> Option<AffineTile> + Send + Sync>;

/// Creates the rule of an op.
type RuleFactory = fn(&OpContext<'_>) -> Rule;

/// The ops with rules.
static RULES: &[(M, RuleFactory)] = &[
    (M::Addi, |_| Box::new(|lines| lines[0].plus(lines[1], 1))),
    (M::Broadcast, broadcast),
    (M::Cmpi, cmpi),
    (M::Exti, exti),
    (M::Muli, |_| Box::new(|lines| lines[0].times(lines[1]))),
    (M::Offset, offset),
    (M::Permute, permute),
    (M::Reshape, |_| Box::new(|lines| Some(lines[0]))),
    (M::Subi, |_| Box::new(|lines| lines[0].plus(lines[1], u64::MAX))),
];

/// The rule of an op, if it has one.
pub(crate) fn rule(cx: &OpContext<'_>) -> Option<Rule> {
    let (_, rule) = RULES.iter().find(|(op, _)| *op == cx.op.op)?;
    Some(rule(cx))
}

/// The fast path of an op, if it has one.
fn fast_path(cx: &OpContext<'_>) -> Option<FastPath> {
    match cx.op.op {
        M::LoadPtrTko => return Some(access::load(cx)),
        M::StorePtrTko => return Some(access::store(cx)),
        _ => {}
    }
    let (rule, kind) = (rule(cx)?, cx.result(0).kind);
    Some(Box::new(move |_, inputs, results| {
        let line = |input: &Value| AffineTile::of(input.tile());
        let result = match inputs {
            [a, b] => rule(&[line(a)?, line(b)?]),
            [a] => rule(&[line(a)?]),
            _ => None,
        };
        results.push(result?.tile(kind)?.into());
        Some(Ok(()))
    }))
}

/// Makes the kernel of an op accept affine operands, if it has a fast path for them. Returns whether it does.
pub(crate) fn plan(cx: &OpContext<'_>, general: Kernel) -> (Kernel, bool) {
    if cx.mode != Mode::Optimized {
        return (general, false);
    }
    if let Some(tile) = (cx.op.op == M::Iota).then(|| iota(&cx.result(0))).flatten() {
        return (constant(tile), false);
    }
    let Some(fast_path) = fast_path(cx) else { return (general, false) };
    let kernel: Kernel = Box::new(move |context, inputs, results| {
        if inputs.iter().any(Value::is_affine) {
            if let Some(outcome) = fast_path(context, inputs, results) {
                return outcome;
            }
            inputs.iter_mut().for_each(Value::expand);
        }
        general(context, inputs, results)
    });
    (kernel, true)
}

/// The tile 0, 1, 2, … of a type, unless it has a single element or elements of one bit.
fn iota(tile: &Tiled) -> Option<Tile> {
    (tile.kind != ScalarKind::Bool && tile.count > 1)
        .then(|| AffineTile::counting(tile.count).tile(tile.kind))
        .flatten()
}

fn broadcast(cx: &OpContext<'_>) -> Rule {
    let (from, to) = (cx.operand(OperandName::Source).extents(), cx.result(0).extents());
    Box::new(move |lines| {
        let dims = (0..to.len()).rev().map(|dim| (to[dim], (from[dim] == to[dim]).then_some(dim)));
        lines[0].arranged(&from, dims)
    })
}

fn permute(cx: &OpContext<'_>) -> Rule {
    let from = cx.operand(OperandName::Source).extents();
    let order: Vec<usize> = match cx.attr(AttrName::Permutation) {
        Attr::IntList(dims) => dims.iter().map(|&dim| dim as usize).collect(),
        _ => (0..from.len()).collect(),
    };
    Box::new(move |lines| lines[0].arranged(&from, order.iter().rev().map(|&dim| (from[dim], Some(dim)))))
}

fn offset(cx: &OpContext<'_>) -> Rule {
    let size = cx.result(0).pointee.map_or(1, Element::bytes) as u64;
    with_int!(cx.operand(OperandName::Offset).element, T => Box::new(move |lines| {
        let by = lines[1];
        // Overflow happens before widening.
        let (least, greatest) = by.ends::<T>(true)?;
        let pointers = lines[0].ends::<u64>(false)?;
        let fits = |bytes: i128, pointer: i128| i64::try_from(bytes).is_ok() && u64::try_from(pointer + bytes).is_ok();
        let [least, greatest] = [least, greatest].map(|by| by * i128::from(size));
        if !fits(least, pointers.0) || !fits(greatest, pointers.1) {
            return None;
        }
        let signed = |number: u64| T::low(number).signed() as u64;
        lines[0].plus(AffineTile { first: signed(by.first), ..by.with_steps(signed) }, size)
    }))
}

fn exti(cx: &OpContext<'_>) -> Rule {
    let signed = cx.signed(AttrName::Signedness);
    let (from, to) = (cx.operand(OperandName::From).element, cx.result(0).element);
    if [from, to].contains(&Element::I4) {
        // They are stored in more bits than they have.
        return Box::new(|_| None);
    }
    with_int!(from, T => Box::new(move |lines| {
        let line = lines[0];
        // Overflow happens before widening.
        line.ends::<T>(signed)?;
        let first = T::low(line.first);
        let first = if signed { first.signed() as u64 } else { first.unsigned() };
        Some(AffineTile { first, ..line.with_steps(|step| T::low(step).signed() as u64) })
    }))
}

fn cmpi(cx: &OpContext<'_>) -> Rule {
    let (signed, comparison) = (cx.signed(AttrName::Signedness), cx.choice(AttrName::ComparisonPredicate));
    with_int!(cx.operand(OperandName::Lhs).element, T => Box::new(move |lines| {
        let (a, b) = (lines[0].ends::<T>(signed)?, lines[1].ends::<T>(signed)?);
        let (below, not_above) = (certain(a.1 < b.0, a.0 >= b.1), certain(a.1 <= b.0, a.0 > b.1));
        let all = match comparison {
            predicate::EQUAL => certain(false, a.1 < b.0 || b.1 < a.0),
            predicate::NOT_EQUAL => certain(a.1 < b.0 || b.1 < a.0, false),
            predicate::LESS_THAN => below,
            predicate::LESS_THAN_OR_EQUAL => not_above,
            predicate::GREATER_THAN => not_above.map(|not_above| !not_above),
            _ => below.map(|below| !below),
        };
        Some(AffineTile::number(all?.into()))
    }))
}

/// The value of all elements, if they are equal.
fn certain(all: bool, none: bool) -> Option<bool> {
    if all { Some(true) } else { none.then_some(false) }
}
