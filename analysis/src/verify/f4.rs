//! Checks views of 4-bit floats, two of which share a byte.

use super::context::{Cx, Diagnostics};
use crate::diagnostics as d;
use crate::ir::Op;
use crate::types::{Access, Type};
use tile_dialect::form::Slot;
use tile_dialect::{Element, OperandName};

/// Checks that exactly one dimension of an f4 view has a static stride of 1: elements are packed along it.
pub(super) fn view_access(cx: &Cx, op: &Op, found: Diagnostics) {
    let Some((index, _)) = op.op.row().operand(OperandName::View) else { return };
    let Some(view) = cx.operand(op, index).and_then(Type::as_tile_view) else { return };
    let tensor = view.tensor();
    if tensor.element != Element::F4E2M1FN {
        return;
    }
    let is_unit = |(_, stride): &(usize, &Option<i64>)| **stride == Some(1);
    let packed: Vec<usize> = tensor.strides.iter().enumerate().filter(is_unit).map(|(dim, _)| dim).collect();
    let place = cx.type_place(Slot::Operand(index as u8), 0);
    let wrong = match (&packed[..], &view.access) {
        ([packed], Access::GatherScatter { sparse_dim }) if packed == sparse_dim => d::f4_sparse_dim(place, *packed),
        ([_], _) => return,
        _ => d::f4_unit_strides(place, view.tensor, packed.len()),
    };
    found.push(d::since_13_5(wrong, &cx.context.options));
}
