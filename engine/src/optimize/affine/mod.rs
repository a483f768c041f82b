//! Tiles whose elements are at even distances, such as `iota`, what is added to it, and pointers to neighbours, or fall into
//! rows of such elements, which are at even distances too: pointers to the rows of a matrix. Most tiles of indices and
//! pointers are such, and an op on a few numbers does for all their elements, and for the same tile in the tile blocks that
//! follow: see `wide`.
//!
//! Each function here tells the result of an op from how its operands are held, or gives `None` where that is not
//! possible: the general kernel then gets the elements one by one. Integers are taken as numbers of 64 bits whose low
//! bits count.

pub(crate) mod access;
pub(crate) mod affine_tile;
pub(crate) mod fast_path;

use crate::ops::context::{Mode, Site, Tiled};
use crate::ops::integer::{Int, with_int};
use crate::ops::kernel::{Kernel, constant};
use crate::optimize::affine::affine_tile::Line;
use crate::optimize::affine::fast_path::Short;
use crate::values::tile::{Kind, Tile};
use crate::values::value::Value;
use tile_analysis::ir::Attr;
use tile_dialect::{Element, Mnemonic as M};

/// Tells how the result of an op is held.
pub(crate) type Rule = Box<dyn Fn(&[Line]) -> Option<Line> + Send + Sync>;

/// Makes the rule of an op.
type Ruler = fn(&Site<'_>) -> Rule;

/// The ops that compute.
static RULES: &[(M, Ruler)] = &[
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

/// How the result of an op is held, where there is a rule for it.
pub(crate) fn rule(site: &Site<'_>) -> Option<Rule> {
    let (_, rule) = RULES.iter().find(|(op, _)| *op == site.op.op)?;
    Some(rule(site))
}

/// The short way of an op, if it has one.
fn short(site: &Site<'_>) -> Option<Short> {
    match site.op.op {
        M::LoadPtrTko => return Some(access::load(site)),
        M::StorePtrTko => return Some(access::store(site)),
        _ => {}
    }
    let (rule, kind) = (rule(site)?, site.result(0).kind);
    Some(Box::new(move |_, inputs, results| {
        let line = |input: &Value| Line::of(input.tile());
        let result = match inputs {
            [a, b] => rule(&[line(a)?, line(b)?]),
            [a] => rule(&[line(a)?]),
            _ => None,
        };
        results.push(result?.tile(kind)?.into());
        Some(Ok(()))
    }))
}

/// Makes the kernel of an op take even operands, where it has a use for them. Tells whether it does.
pub(crate) fn plan(site: &Site<'_>, general: Kernel) -> (Kernel, bool) {
    if site.mode != Mode::Optimized {
        return (general, false);
    }
    if let Some(tile) = (site.op.op == M::Iota).then(|| iota(&site.result(0))).flatten() {
        return (constant(tile), false);
    }
    let Some(short) = short(site) else { return (general, false) };
    let kernel: Kernel = Box::new(move |context, inputs, results| {
        if inputs.iter().any(Value::is_even) {
            if let Some(outcome) = short(context, inputs, results) {
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
    (tile.kind != Kind::Bool && tile.count > 1).then(|| Line::counting(tile.count).tile(tile.kind)).flatten()
}

fn broadcast(site: &Site<'_>) -> Rule {
    let (from, to) = (site.operand("source").extents(), site.result(0).extents());
    Box::new(move |lines| {
        let dims = (0..to.len()).rev().map(|dim| (to[dim], (from[dim] == to[dim]).then_some(dim)));
        lines[0].arranged(&from, dims)
    })
}

fn permute(site: &Site<'_>) -> Rule {
    let from = site.operand("source").extents();
    let order: Vec<usize> = match site.attr("permutation") {
        Attr::IntList(dims) => dims.iter().map(|&dim| dim as usize).collect(),
        _ => (0..from.len()).collect(),
    };
    Box::new(move |lines| lines[0].arranged(&from, order.iter().rev().map(|&dim| (from[dim], Some(dim)))))
}

fn offset(site: &Site<'_>) -> Rule {
    let size = site.result(0).pointee.map_or(1, Element::bytes) as u64;
    with_int!(site.operand("offset").element, T => Box::new(move |lines| {
        let by = lines[1];
        // What wraps around does so before it is widened.
        let (least, greatest) = by.ends::<T>(true)?;
        let pointers = lines[0].ends::<u64>(false)?;
        let fits = |bytes: i128, pointer: i128| i64::try_from(bytes).is_ok() && u64::try_from(pointer + bytes).is_ok();
        let [least, greatest] = [least, greatest].map(|by| by * i128::from(size));
        if !fits(least, pointers.0) || !fits(greatest, pointers.1) {
            return None;
        }
        let signed = |number: u64| T::low(number).signed() as u64;
        lines[0].plus(Line { first: signed(by.first), ..by.with_steps(signed) }, size)
    }))
}

fn exti(site: &Site<'_>) -> Rule {
    let signed = site.signed("signedness");
    let (from, to) = (site.operand("from").element, site.result(0).element);
    if [from, to].contains(&Element::I4) {
        // They are held in more bits than they have.
        return Box::new(|_| None);
    }
    with_int!(from, T => Box::new(move |lines| {
        let line = lines[0];
        // What wraps around does so before it is widened.
        line.ends::<T>(signed)?;
        let first = T::low(line.first);
        let first = if signed { first.signed() as u64 } else { first.unsigned() };
        Some(Line { first, ..line.with_steps(|step| T::low(step).signed() as u64) })
    }))
}

fn cmpi(site: &Site<'_>) -> Rule {
    let (signed, predicate) = (site.signed("signedness"), site.choice("comparison_predicate"));
    with_int!(site.operand("lhs").element, T => Box::new(move |lines| {
        let (a, b) = (lines[0].ends::<T>(signed)?, lines[1].ends::<T>(signed)?);
        let (below, not_above) = (certain(a.1 < b.0, a.0 >= b.1), certain(a.1 <= b.0, a.0 > b.1));
        let all = match predicate {
            0 => certain(false, a.1 < b.0 || b.1 < a.0),
            1 => certain(a.1 < b.0 || b.1 < a.0, false),
            2 => below,
            3 => not_above,
            4 => not_above.map(|not_above| !not_above),
            _ => below.map(|below| !below),
        };
        Some(Line::number(all?.into()))
    }))
}

/// What holds for all elements, if anything does.
fn certain(all: bool, none: bool) -> Option<bool> {
    if all { Some(true) } else { none.then_some(false) }
}
