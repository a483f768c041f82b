//! Checks conversions, and options that only f32 supports.

use super::context::{Cx, Diagnostics};
use crate::diagnostics as d;
use crate::ir::Op;
use tile_dialect::{AttrName, Element, Mnemonic, ROUNDING, Version, rounding};

pub(super) fn width(cx: &Cx, op: &Op, found: Diagnostics) {
    let (Some(from), Some(to)) = (cx.tile(op, 0), cx.result_tile(op, 0)) else { return };
    let (Some(from), Some(to)) = (from.number(), to.number()) else { return };
    let is_valid = if op.op == Mnemonic::Exti { from.bits() < to.bits() } else { from.bits() > to.bits() };
    if !is_valid {
        found.push(d::integer_width(cx.result_place(0), op.op == Mnemonic::Exti, from, to));
    }
}

pub(super) fn bitcast(cx: &Cx, op: &Op, found: Diagnostics) {
    let (Some(from), Some(to)) = (cx.tile(op, 0), cx.result_tile(op, 0)) else { return };
    let (Some(from), Some(to)) = (from.number(), to.number()) else { return };
    if from.bits() != to.bits() {
        found.push(d::bitcast_width(cx.result_place(0), from, to));
    }
}

pub(super) fn ftof(cx: &Cx, op: &Op, found: Diagnostics) {
    let (Some(from), Some(to)) = (cx.tile(op, 0), cx.result_tile(op, 0)) else { return };
    let (Some(from), Some(to)) = (from.number(), to.number()) else { return };
    if from == to {
        return found.push(d::no_conversion(cx.result_place(0), from));
    }
    let Some(mode) = cx.attr(op, AttrName::RoundingMode).as_enum() else { return };
    let allowed = match (to, cx.context.options.version) {
        (Element::F8E8M0FNU, _) => &[rounding::ZERO, rounding::POSITIVE_INF],
        (_, version) if version < Version::V13_4 => &[rounding::NEAREST_EVEN][..],
        _ => conversion_modes(from, to),
    };
    if !allowed.contains(&mode) {
        let allowed: Vec<_> = allowed.iter().map(|&mode| format!("`{}`", ROUNDING.keyword(mode))).collect();
        let allowed = d::alternatives(&allowed);
        let place = cx.attr_place(op, AttrName::RoundingMode);
        let target = cx.context.options.version;
        if ROUNDING.values[mode as usize].since > target {
            return; // reported elsewhere
        }
        if to != Element::F8E8M0FNU && conversion_modes(from, to).contains(&mode) {
            let feature = format!("`{}` in a conversion from {from} to {to}", ROUNDING.keyword(mode));
            return found.push(d::newer(place, &feature, Version::V13_4, target));
        }
        found.push(d::conversion_rounding(place, ROUNDING.keyword(mode), to, &allowed));
    }
}

/// The rounding modes of a conversion between floats since 13.4.
fn conversion_modes(from: Element, to: Element) -> &'static [u8] {
    use Element::{BF16, F4E2M1FN, F8E4M3FN, F8E5M2, F8E8M0FNU, F16, F32, F64, FNv8E5M3FNU, TF32};
    use rounding::{NEAREST_AWAY, NEAREST_EVEN, NEGATIVE_INF, POSITIVE_INF, ZERO};
    match (from, to) {
        (_, F8E4M3FN | F8E5M2 | F4E2M1FN | FNv8E5M3FNU) => &[NEAREST_EVEN],
        (F64, F32) => &[NEAREST_EVEN, ZERO, NEGATIVE_INF, POSITIVE_INF],
        (F32, TF32) => &[NEAREST_EVEN, ZERO, NEAREST_AWAY],
        (F64, _) | (F32 | TF32, F16 | BF16) | (F16, BF16) | (BF16 | FNv8E5M3FNU, F16) => &[NEAREST_EVEN, ZERO],
        (F8E8M0FNU, F16 | BF16 | F32 | TF32) => &[NEAREST_EVEN, ZERO],
        // Widening is exact, so every mode gives the same result.
        _ => &[NEAREST_EVEN, ZERO, NEGATIVE_INF, POSITIVE_INF, NEAREST_AWAY],
    }
}

pub(super) fn itof(cx: &Cx, op: &Op, found: Diagnostics) {
    let to = cx.result_tile(op, 0).and_then(|tile| tile.number());
    if to == Some(Element::F8E8M0FNU) {
        let instead = "convert to another float type first, then use `ftof`";
        found.push(d::element_not_supported(cx.result_place(0), "itof", Element::F8E8M0FNU, instead));
    }
}

/// Checks `flush_to_zero`, `rounding<approx>` and `rounding<full>`.
pub(super) fn f32_only(cx: &Cx, op: &Op, found: Diagnostics) {
    let Some(element) = cx.tile(op, 0).and_then(|tile| tile.number()) else { return };
    if element == Element::F32 {
        return;
    }
    if cx.attr(op, AttrName::FlushToZero).is_flag() {
        return found.push(d::f32_only(cx.attr_place(op, AttrName::FlushToZero), "flush_to_zero", element));
    }
    let mode = cx.attr(op, AttrName::RoundingMode).as_enum();
    let full_is_default = matches!(op.op, Mnemonic::Exp | Mnemonic::Tanh);
    if mode == Some(rounding::APPROX) {
        found.push(d::f32_only(cx.attr_place(op, AttrName::RoundingMode), "rounding<approx>", element));
    } else if mode == Some(rounding::FULL) && !full_is_default {
        found.push(d::f32_only(cx.attr_place(op, AttrName::RoundingMode), "rounding<full>", element));
    }
}
