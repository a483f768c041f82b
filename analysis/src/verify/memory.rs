//! Checks memory ops: ordering and scope, atomics, tokens, `alloca`.

use super::context::{Cx, Diagnostics};
use crate::diagnostics as d;
use crate::ir::{Attr, Op};
use crate::types::Access;
use tile_dialect::form::Slot;
use tile_dialect::{AttrName, Element, RMW_MODE, Version, ordering};

/// Checks that a weak access has no scope and every other access has one.
pub(super) fn scope(cx: &Cx, op: &Op, found: Diagnostics) {
    let Some(order) = cx.attr(op, AttrName::MemoryOrderingSemantics).as_enum() else { return };
    let has_scope = *cx.attr(op, AttrName::MemoryScope) != Attr::Absent;
    if (order == ordering::WEAK) == has_scope {
        let place =
            cx.attr_place(op, if has_scope { AttrName::MemoryScope } else { AttrName::MemoryOrderingSemantics });
        found.push(d::memory_scope(place, op.op.row().name, order));
    }
}

pub(super) fn atomic_rmw(cx: &Cx, op: &Op, found: Diagnostics) {
    let Some(element) = cx.tile(op, 1).and_then(|tile| tile.number()) else { return };
    atomic_mode(cx, op, element, found);
}

/// Checks the view and the mode of an atomic reduction.
pub(super) fn atomic_red_view(cx: &Cx, op: &Op, found: Diagnostics) {
    let Some(ty) = cx.operand(op, 0) else { return };
    let Some(view) = ty.as_tile_view() else { return };
    let place = cx.type_place(Slot::Operand(0), 0);
    if matches!(view.access, Access::GatherScatter { .. }) {
        return found.push(d::atomic_view(place, "a gather/scatter view", ty));
    }
    let target = cx.context.options.version;
    if view.padding.is_some() && target < Version::V13_5 {
        let feature = "a padding value in the view of `atomic_red_view_tko`";
        return found.push(d::newer(place, feature, Version::V13_5, target));
    }
    atomic_mode(cx, op, view.tensor().element, found);
}

/// Checks that the element type supports the mode.
fn atomic_mode(cx: &Cx, op: &Op, element: Element, found: Diagnostics) {
    let Some(mode) = cx.attr(op, AttrName::Mode).as_enum() else { return };
    let wide = element.bits() == 32 || element.bits() == 64;
    let allowed = match RMW_MODE.keyword(mode) {
        "addf" => matches!(element.name(), "f16" | "bf16" | "f32" | "f64"),
        "xchg" => wide,
        _ => element.is_int() && wide,
    };
    if !allowed {
        found.push(d::atomic_element(cx.attr_place(op, AttrName::Mode), RMW_MODE.keyword(mode), element));
    }
}

pub(super) fn atomic_cas(cx: &Cx, op: &Op, found: Diagnostics) {
    let Some(element) = cx.tile(op, 1).and_then(|tile| tile.number()) else { return };
    if !matches!(element.bits(), 32 | 64) {
        found.push(d::atomic_element(cx.places.name.clone(), "compare-and-swap", element));
    }
}

pub(super) fn join_tokens(cx: &Cx, op: &Op, found: Diagnostics) {
    let count = cx.body.group(op, 0).len();
    if count < 2 {
        found.push(d::join_count(cx.places.name.clone(), count));
    }
}

pub(super) fn alloca(cx: &Cx, op: &Op, found: Diagnostics) {
    let (Some(count), Some(alignment)) =
        (cx.attr(op, AttrName::NumElem).as_int(), cx.attr(op, AttrName::Alignment).as_int())
    else {
        return;
    };
    if count < 0 {
        return found.push(d::alloca(cx.attr_place(op, AttrName::NumElem), "the number of elements is negative"));
    }
    let place = cx.attr_place(op, AttrName::Alignment);
    if alignment.count_ones() != 1 {
        return found.push(d::alloca(place, "the alignment is not a power of two"));
    }
    let Some(element) = cx.result_tile(op, 0).and_then(|tile| tile.pointee()) else { return };
    // NVIDIA's tools compute the size of a `tf32` from its 19 significant bits. Before 13.5 they round down, so that an
    // alignment of 2 is accepted.
    let rounds_up = cx.context.options.version >= Version::V13_5;
    let natural = if rounds_up { element.bits().div_ceil(8) } else { element.bits() / 8 };
    if alignment < i64::from(natural) {
        let bytes = element.bytes();
        found.push(d::alloca(place, &format!("`alignment` must be at least the element size, {bytes} bytes")));
    }
}
