//! Conversions, and options that exist for f32 only.

use super::{Cx, Found};
use crate::diagnostics as d;
use crate::ir::Op;
use tile_dialect::{Element, Mnemonic, rounding};

pub(super) fn width(cx: &Cx, op: &Op, found: Found) {
    let (Some(from), Some(to)) = (cx.tile(op, 0), cx.result_tile(op, 0)) else { return };
    let (Some(from), Some(to)) = (from.number(), to.number()) else { return };
    let right = if op.op == Mnemonic::Exti { from.bits() < to.bits() } else { from.bits() > to.bits() };
    if !right {
        found.push(d::integer_width(cx.result_place(0), op.op == Mnemonic::Exti, from, to));
    }
}

pub(super) fn bitcast(cx: &Cx, op: &Op, found: Found) {
    let (Some(from), Some(to)) = (cx.tile(op, 0), cx.result_tile(op, 0)) else { return };
    let (Some(from), Some(to)) = (from.number(), to.number()) else { return };
    if from.bits() != to.bits() {
        found.push(d::bitcast_width(cx.result_place(0), from, to));
    }
}

pub(super) fn ftof(cx: &Cx, op: &Op, found: Found) {
    let (Some(from), Some(to)) = (cx.tile(op, 0), cx.result_tile(op, 0)) else { return };
    let (Some(from), Some(to)) = (from.number(), to.number()) else { return };
    if from == to {
        found.push(d::no_conversion(cx.result_place(0), from));
    }
}

/// `flush_to_zero`, `approx` and `full`.
pub(super) fn f32_only(cx: &Cx, op: &Op, found: Found) {
    let Some(element) = cx.tile(op, 0).and_then(|tile| tile.number()) else { return };
    if element == Element::F32 {
        return;
    }
    if cx.attr(op, "flush_to_zero").is_flag() {
        return found.push(d::f32_only(cx.attr_place(op, "flush_to_zero"), "flush_to_zero", element));
    }
    let mode = cx.attr(op, "rounding_mode").as_enum();
    let full_is_default = matches!(op.op, Mnemonic::Exp | Mnemonic::Tanh);
    if mode == Some(rounding::APPROX) {
        found.push(d::f32_only(cx.attr_place(op, "rounding_mode"), "rounding<approx>", element));
    } else if mode == Some(rounding::FULL) && !full_is_default {
        found.push(d::f32_only(cx.attr_place(op, "rounding_mode"), "rounding<full>", element));
    }
}
