//! Checks `reduce` and `scan`.

use super::context::{Cx, Diagnostics};
use super::control::same_types;
use crate::diagnostic::Diagnostic;
use crate::diagnostics as d;
use crate::ir::{Attr, Op, Value};
use crate::types::{TileType, Type};
use std::ops::Range;
use tile_dialect::{AttrName, Effect, Element, Mnemonic, Version};

/// Checks the operands, the dimension, the identities and the result types.
pub(super) fn operands(cx: &Cx, op: &Op, found: Diagnostics) {
    let row = op.op.row();
    let place = cx.places.name.clone();
    let tiles: Vec<_> = cx.body.group(op, 0).iter().filter_map(|&value| cx.body.ty(value).as_tile()).collect();
    let Some(first) = tiles.first() else {
        if cx.body.group(op, 0).is_empty() {
            found.push(d::reduce(place, row.name, "needs at least one operand"));
        }
        return;
    };
    if tiles.len() != cx.body.group(op, 0).len() {
        return;
    }
    if let Some(other) = tiles.iter().find(|tile| tile.shape != first.shape) {
        return found.push(d::reduce(
            place,
            row.name,
            &format!("needs operands of the same shape, found `{first}` and `{other}`"),
        ));
    }
    let Some(dim) = cx.attr(op, AttrName::Dim).as_int() else { return };
    if dim < 0 || dim as usize >= first.rank() {
        return found.push(d::dimension_range(cx.attr_place(op, AttrName::Dim), row.name, dim, first.rank()));
    }
    if let Attr::Identities(identities) = cx.attr(op, AttrName::Identities) {
        let place = cx.attr_place(op, AttrName::Identities);
        if identities.len() != tiles.len() {
            let problem =
                format!("needs one identity for each operand: expected {}, found {}", tiles.len(), identities.len());
            return found.push(d::reduce(place, row.name, &problem));
        }
        let wrong = identities.iter().zip(&tiles).find(|((element, _), tile)| !is_identity_of(*element, tile));
        if let Some(((element, _), tile)) = wrong {
            let problem = format!("needs an identity of the element type of `{tile}`, found `{element}`");
            return found.push(d::reduce(place, row.name, &problem));
        }
    }
    results(cx, op, dim as usize, found);
}

/// Reports whether a number of this type can be the identity of a tile. `f16` and `bf16` are interchangeable.
fn is_identity_of(element: Element, tile: &TileType) -> bool {
    let half_types = [Element::F16, Element::BF16];
    tile.number().is_some_and(|own| own == element || half_types.contains(&own) && half_types.contains(&element))
}

fn results(cx: &Cx, op: &Op, dim: usize, found: Diagnostics) {
    let row = op.op.row();
    let operands = cx.body.group(op, 0);
    if operands.len() != op.results.len() {
        let problem =
            format!("needs one result for each operand: expected {}, found {}", operands.len(), op.results.len());
        return found.push(d::reduce(cx.places.name.clone(), row.name, &problem));
    }
    for (&operand, result) in operands.iter().zip(cx.body.results(op)) {
        let Some(tile) = cx.body.ty(operand).as_tile() else { continue };
        let mut shape = tile.shape.to_vec();
        if op.op == Mnemonic::Reduce {
            shape.remove(dim);
        }
        let (expected, stated) = (Type::tile_of(&shape, tile.element), cx.body.ty(result));
        if stated != expected && !stated.is_unknown() {
            return found.push(d::wrong_result_type(cx.result_place(0), row.name, expected, stated));
        }
    }
}

/// Checks the region: two scalar arguments for each operand, and one yielded value for each.
pub(super) fn body(cx: &Cx, op: &Op, found: Diagnostics) {
    let Some(region) = cx.body.regions_of(op).next() else { return };
    if let Some(wrong) = wrong_argument(cx, op, &cx.body.region(region).args) {
        return found.push(wrong);
    }
    let element = |&value: &Value| match cx.body.ty(value).as_tile() {
        Some(tile) => Type::tile_of(&[], tile.element),
        None => Type::unknown(),
    };
    let expected: Vec<Type> = cx.body.group(op, 0).iter().map(element).collect();
    let Some(last) = cx.last(region) else { return };
    let yielded = cx.operand_types(cx.body.op(last));
    if cx.body.op(last).op == Mnemonic::Yield && !same_types(&expected, &yielded) {
        // A missing `yield` is reported by `end`.
        if missing_yield(cx, op).is_some() {
            return;
        }
        let name = op.op.row().name;
        found.push(d::yielded_types(cx.places.name.clone(), name, &expected, &yielded, cx.name_of(last)));
    }
}

/// If the region has ops but no `yield`: the ranges of the last op and of the closing brace, which became the implicit
/// `yield`.
fn missing_yield(cx: &Cx, op: &Op) -> Option<(Range<u32>, Range<u32>)> {
    let region = cx.body.regions_of(op).next()?;
    let [.., before, last] = cx.body.region(region).ops[..] else { return None };
    let end = cx.name_of(last);
    let is_implicit = cx.text.get(end.start as usize..end.end as usize) == Some("}");
    (is_implicit && !cx.body.group(op, 0).is_empty()).then(|| (cx.name_of(before), end))
}

/// Reports a region that has ops but no `yield`.
fn end(cx: &Cx, op: &Op, found: Diagnostics) {
    if let Some((before, brace)) = missing_yield(cx, op) {
        let element = |&value: &Value| cx.body.ty(value).as_tile().map(|tile| Type::tile_of(&[], tile.element));
        let expected: Vec<Type> = cx.body.group(op, 0).iter().filter_map(element).collect();
        found.push(d::yielded_types(before, op.op.row().name, &expected, &[], brace));
    }
}

fn wrong_argument(cx: &Cx, op: &Op, args: &[Value]) -> Option<Diagnostic> {
    let (name, place) = (op.op.row().name, cx.places.name.clone());
    let operands = cx.body.group(op, 0);
    let count = 2 * operands.len();
    if args.len() != count {
        let problem = format!("needs {count} region arguments, two for each operand, found {}", args.len());
        return Some(d::reduce(place, name, &problem));
    }
    args.iter().enumerate().find_map(|(index, &arg)| {
        let tile = cx.body.ty(operands[index / 2]).as_tile()?;
        let (expected, stated) = (Type::tile_of(&[], tile.element), cx.body.ty(arg));
        let wrong = stated != expected && !stated.is_unknown();
        let problem =
            format!("combines single elements: region argument {index} must be `{expected}`, found `{stated}`");
        wrong.then(|| d::reduce(place.clone(), name, &problem))
    })
}

/// Checks that the function of a reduction has no side effects. Before 13.4 it cannot contain ops that are undefined
/// for some operands, such as `divi`, either.
pub(super) fn impure(cx: &Cx, op: &Op, found: Diagnostics) {
    end(cx, op, found);
    if !found.is_empty() {
        return;
    }
    let (target, around) = (cx.context.options.version, op.op.row().name);
    for region in cx.body.regions_of(op) {
        for &id in &cx.body.region(region).ops {
            let (inner, place) = (cx.body.op(id).op.row(), cx.name_of(id));
            found.push(match inner.effect {
                _ if inner.is_terminator() => continue,
                _ if touches_memory(cx, cx.body.op(id)) => d::impure_reduction(place, inner.name, around),
                Effect::None | Effect::Regions if target < Version::V13_4 => {
                    d::newer(place, &format!("`{}` in a `{around}`", inner.name), Version::V13_4, target)
                }
                _ => continue,
            });
            return;
        }
    }
}

/// Reports whether an op, or one in its regions, has side effects.
fn touches_memory(cx: &Cx, op: &Op) -> bool {
    let inside = |region| cx.body.region(region).ops.iter().any(|&id| touches_memory(cx, cx.body.op(id)));
    match op.op.row().effect {
        Effect::Memory => !op.op.row().is_terminator(),
        Effect::Regions => cx.body.regions_of(op).any(inside),
        Effect::Pure | Effect::None => false,
    }
}
