//! Checks loops and branches.

use super::context::{Cx, Diagnostics};
use crate::diagnostics as d;
use crate::ir::{Op, Value};
use crate::types::Type;
use tile_dialect::{AttrName, Mnemonic};

/// Checks that no view is a carried value or a result, and that an `if` with results has an `else`.
pub(super) fn carried(cx: &Cx, op: &Op, found: Diagnostics) {
    let row = op.op.row();
    let operands = cx.body.operands(op).iter().map(|&value| cx.body.ty(value));
    let results = cx.body.results(op).map(|value| cx.body.ty(value));
    if let Some(view) = operands.chain(results).find(|ty| ty.is_view()) {
        return found.push(d::carried_view(cx.places.name.clone(), row.name, view));
    }
    if op.op == Mnemonic::If && !op.results.is_empty() && op.regions.len() < 2 {
        found.push(d::missing_else(cx.places.name.clone()));
    }
}

/// Checks the region arguments of a loop: the induction variable and one for each carried value. Only generic form can
/// get them wrong.
pub(super) fn arguments(cx: &Cx, op: &Op, found: Diagnostics) {
    let Some(region) = cx.body.regions_of(op).next() else { return };
    let name = op.op.row().name;
    let is_for = op.op == Mnemonic::For;
    let types = cx.operand_types(op);
    let (bounds, first) = types.split_at(if is_for { 3.min(types.len()) } else { 0 });
    let expected: Vec<Type> = bounds.iter().take(1).chain(first).copied().collect();
    let args = &cx.body.region(region).args;
    let place = cx.places.name.clone();
    if args.len() != expected.len() {
        return found.push(d::loop_argument_count(place, name, expected.len(), args.len()));
    }
    for (index, (&arg, &expected)) in args.iter().zip(&expected).enumerate() {
        let ty = cx.body.ty(arg);
        if ty != expected && !ty.is_unknown() && !expected.is_unknown() {
            let argument = match index {
                0 if is_for => "the induction variable".to_string(),
                _ => format!("carried value {}", index - usize::from(is_for)),
            };
            return found.push(d::loop_argument(place, name, &argument, expected, ty));
        }
    }
}

/// Warns about an unsigned loop that NVIDIA's compiler gets wrong.
pub(super) fn unsigned_loop(cx: &Cx, op: &Op, found: Diagnostics) {
    const BOUNDS: usize = 3;
    let is_constant =
        |value: &Value| cx.body.defining_op(*value).is_some_and(|id| cx.body.op(id).op == Mnemonic::Constant);
    if !cx.attr(op, AttrName::UnsignedCmp).is_flag() || !loads(cx, op) {
        return;
    }
    if cx.body.operands(op).iter().take(BOUNDS).all(is_constant) {
        return;
    }
    let word = cx.attr_place(op, AttrName::UnsignedCmp);
    let is_written = cx.text.get(word.start as usize..).is_some_and(|text| text.starts_with("unsigned "));
    let range = if is_written { word.start..word.start + "unsigned".len() as u32 } else { cx.places.name.clone() };
    found.push(d::unsigned_loop(range.clone(), is_written.then_some(range.start..range.end + 1)));
}

/// Whether the regions of an op contain a load.
fn loads(cx: &Cx, op: &Op) -> bool {
    let is_load = |op: &Op| matches!(op.op, Mnemonic::LoadPtrTko | Mnemonic::LoadViewTko) || loads(cx, op);
    cx.body.regions_of(op).any(|region| cx.body.region(region).ops.iter().any(|&id| is_load(cx.body.op(id))))
}

/// Checks that the branches of an `if` yield its result types. A branch can also end in `break`, `continue` or
/// `return`.
pub(super) fn branches(cx: &Cx, op: &Op, found: Diagnostics) {
    let expected: Vec<Type> = cx.body.results(op).map(|value| cx.body.ty(value)).collect();
    for region in cx.body.regions_of(op) {
        let Some(last) = cx.last(region) else { continue };
        let end = cx.body.op(last);
        let yielded = cx.operand_types(end);
        if end.op == Mnemonic::Yield && !same_types(&expected, &yielded) {
            return found.push(d::yielded_types(cx.places.name.clone(), "if", &expected, &yielded, cx.name_of(last)));
        }
    }
}

/// Reports whether two lists of types are equal; unknown types match any type.
pub(super) fn same_types(expected: &[Type], found: &[Type]) -> bool {
    expected.len() == found.len() && expected.iter().zip(found).all(|(a, b)| a == b || a.is_unknown() || b.is_unknown())
}
