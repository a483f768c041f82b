//! Checks accesses to multicast memory and the operands of the multimem ops.

use super::context::{Cx, Diagnostics};
use crate::diagnostics as d;
use crate::ir::Op;
use crate::types::{TileViewType, Type};
use tile_dialect::form::Slot;
use tile_dialect::{AttrName, Class, Element, MULTIMEM_REDUCTION, Mnemonic};

/// Rejects multicast pointers and views in ordinary accesses.
pub(super) fn ordinary(cx: &Cx, op: &Op, found: Diagnostics) {
    for (index, row) in op.op.row().operands.iter().enumerate() {
        let kind = match row.class {
            Class::Pointers => "pointer",
            Class::TileView => "view",
            _ => continue,
        };
        if let Some(ty) = cx.operand(op, index).filter(|&ty| is_multicast(ty)) {
            let place = cx.type_place(Slot::Operand(index as u8), 0);
            found.push(d::multicast_access(place, op.op, kind, ty));
        }
    }
}

fn is_multicast(ty: Type) -> bool {
    let pointer = ty.as_tile().and_then(|tile| tile.pointer());
    let view = ty.as_tile_view().map(TileViewType::tensor);
    pointer.is_some_and(|pointer| pointer.is_multicast()) || view.is_some_and(|view| view.is_multicast())
}

/// Checks the view and the reduction of a multimem op.
pub(super) fn multimem(cx: &Cx, op: &Op, found: Diagnostics) {
    if cx.context.options.version < op.op.row().since {
        return;
    }
    let Some(ty) = cx.operand(op, 0) else { return };
    let Some(view) = ty.as_tile_view() else { return };
    let place = cx.type_place(Slot::Operand(0), 0);
    let tensor = view.tensor();
    if !ty.is_a(Class::PartitionView) {
        return found.push(d::multimem_view(place, op.op, ty));
    }
    if !tensor.is_multicast() {
        return found.push(d::multimem_memory(place, op.op, tensor.attr));
    }
    let element = tensor.element;
    if !matches!(element, Element::I32 | Element::I64 | Element::F16 | Element::BF16 | Element::F32 | Element::F64) {
        return found.push(d::multimem_element(place, op.op, element));
    }
    reduction(cx, op, element, found);
    let bytes = view.tile.iter().product::<i64>() * element.bytes() as i64;
    if bytes % 4 != 0 {
        found.push(d::multimem_size(place.clone(), op.op, view.tile_type(), bytes));
    }
    let unit_strides = tensor.strides.iter().filter(|stride| **stride == Some(1)).count();
    if element.bits() == 16 && unit_strides != 1 {
        found.push(d::multimem_stride(place, op.op, element, unit_strides));
    }
}

fn reduction(cx: &Cx, op: &Op, element: Element, found: Diagnostics) {
    let Some(reduction) = cx.attr(op, AttrName::Reduction).as_enum() else { return };
    let allowed = reductions(op.op, element);
    if !allowed.contains(&reduction) {
        let place = cx.attr_place(op, AttrName::Reduction);
        found.push(d::multimem_reduction(place, op.op, reduction, element, &allowed));
    }
}

/// The reductions that an op supports for an element type.
fn reductions(op: Mnemonic, element: Element) -> Vec<u8> {
    let names: &[&str] = match (op, element) {
        (_, element) if element.is_int() => return (0..MULTIMEM_REDUCTION.values.len() as u8).collect(),
        (Mnemonic::MultimemLoadReduceViewTko, Element::F16 | Element::BF16) => &["add", "min", "max"],
        _ => &["add"],
    };
    names.iter().filter_map(|name| MULTIMEM_REDUCTION.value(name)).collect()
}
