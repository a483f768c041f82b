//! Checks integer arithmetic.

use super::context::{Cx, Diagnostics};
use crate::diagnostics as d;
use crate::ir::Op;
use tile_dialect::{AttrName, overflow, rounding, signedness};

/// Rejects `no_unsigned_wrap` alone: negation is signed.
pub(super) fn negi(cx: &Cx, op: &Op, found: Diagnostics) {
    if cx.attr(op, AttrName::Overflow).as_enum() == Some(overflow::NO_UNSIGNED_WRAP) {
        found.push(d::unsupported_unsigned_wrap(cx.attr_place(op, AttrName::Overflow)));
    }
}

/// Rejects `rounding<negative_inf>` in unsigned division.
pub(super) fn divi(cx: &Cx, op: &Op, found: Diagnostics) {
    let is_unsigned = cx.attr(op, AttrName::Signedness).as_enum() == Some(signedness::UNSIGNED);
    if is_unsigned && cx.attr(op, AttrName::Rounding).as_enum() == Some(rounding::NEGATIVE_INF) {
        found.push(d::floor_unsigned(cx.attr_place(op, AttrName::Rounding)));
    }
}
