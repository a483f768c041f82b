//! Integer arithmetic.

use super::context::{Cx, Diagnostics};
use crate::diagnostics as d;
use crate::ir::Op;
use tile_dialect::{OVERFLOW, SIGNEDNESS, rounding};

/// A negation is signed, so it promises nothing about unsigned overflow alone.
pub(super) fn negi(cx: &Cx, op: &Op, found: Diagnostics) {
    if cx.attr(op, "overflow").as_enum() == OVERFLOW.value("no_unsigned_wrap") {
        found.push(d::unsigned_promise(cx.attr_place(op, "overflow")));
    }
}

/// Only a signed quotient can be rounded down.
pub(super) fn divi(cx: &Cx, op: &Op, found: Diagnostics) {
    let is_unsigned = cx.attr(op, "signedness").as_enum() == SIGNEDNESS.value("unsigned");
    if is_unsigned && cx.attr(op, "rounding").as_enum() == Some(rounding::NEGATIVE_INF) {
        found.push(d::floor_unsigned(cx.attr_place(op, "rounding")));
    }
}
