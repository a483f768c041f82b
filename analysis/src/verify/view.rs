//! Checks views.

use super::context::{Cx, Diagnostics};
use crate::diagnostics as d;
use crate::ir::{Attr, Op};
use crate::types::{Access, Type};
use tile_dialect::form::Slot;
use tile_dialect::{AttrName, OperandName};

/// Checks that the lists of `make_tensor_view` match the type: numbers equal its numbers, and values match its `?`.
pub(super) fn make_tensor_view(cx: &Cx, op: &Op, found: Diagnostics) {
    let (Some(pointer), Some(view)) = (cx.tile(op, 0), cx.result(op, 0).and_then(Type::as_tensor_view)) else { return };
    if pointer.pointee() != Some(view.element) {
        return found.push(d::view_pointer(cx.result_place(0), pointer, view));
    }
    if let Some(pointer) = pointer.pointer().filter(|pointer| pointer.attr != view.attr) {
        let place = cx.result_place(0);
        let is_written = cx.text[place.start as usize..place.end as usize].starts_with("tensor_view");
        return found.push(d::view_attr(place, pointer, view, is_written));
    }
    for (slot, list, stated) in [(1, "shape", &view.shape), (2, "strides", &view.strides)] {
        if cx.places.generic {
            let (open, values) =
                (stated.iter().filter(|entry| entry.is_none()).count(), cx.body.group(op, slot as usize).len());
            if open != values {
                return found.push(d::view_open_entries(cx.result_place(0), list, open, values));
            }
            continue;
        }
        let entries: Vec<_> = cx.places.mixed.iter().filter(|(of, _)| *of == slot).map(|(_, entry)| entry).collect();
        if entries.len() != stated.len() {
            found.push(d::view_list_length(cx.result_place(0), list, stated.len(), entries.len()));
            return;
        }
        for (dim, (entry, stated)) in entries.into_iter().zip(stated).enumerate() {
            let written = entry.as_ref().and_then(|(value, _)| *value);
            let is_unread = written.is_none() && entry.is_some();
            if written != *stated && !is_unread {
                let place = entry.as_ref().map_or_else(|| cx.places.name.clone(), |(_, place)| place.clone());
                found.push(d::view_entry(place, list, dim, written, *stated, cx.result_place(0)));
                return;
            }
        }
    }
    let dynamic = cx.body.group(op, 1).iter().chain(cx.body.group(op, 2));
    let mut types = dynamic.map(|&value| cx.body.ty(value)).filter(|ty| !ty.is_unknown());
    if let Some(first) = types.next()
        && let Some(other) = types.find(|&ty| ty != first)
    {
        found.push(d::index_types(cx.places.name.clone(), first, other));
    }
}

/// Checks that a shape query has one result for each dimension. Only generic form can get the number wrong.
pub(super) fn shape_results(cx: &Cx, op: &Op, found: Diagnostics) {
    let Some(ty) = cx.operand(op, 0) else { return };
    let rank = ty.as_tensor_view().map(|view| view.shape.len());
    let Some(rank) = rank.or_else(|| ty.as_tile_view().map(|view| view.tile.len())) else { return };
    if op.results.len() != rank && cx.places.generic {
        found.push(d::shape_results(cx.places.name.clone(), op.op.row().name, ty, rank, op.results.len()));
    }
}

/// Checks that the operand has the tensor view type that is part of the result type.
pub(super) fn make_view(cx: &Cx, op: &Op, found: Diagnostics) {
    let (Some(operand), Some(result)) = (cx.operand(op, 0), cx.result(op, 0)) else { return };
    if let Some(view) = result.as_tile_view()
        && view.tensor != operand
    {
        found.push(d::view_tensor(cx.result_place(0), operand, view.tensor));
    }
}

/// Checks that each dimension has an index, and that all indices are scalars of the same type, except for the tile of
/// row numbers of a gather/scatter view.
pub(super) fn index(cx: &Cx, op: &Op, found: Diagnostics) {
    let row = op.op.row();
    let (Some((view_at, _)), Some((index_at, _))) = (row.operand(OperandName::View), row.operand(OperandName::Index))
    else {
        return;
    };
    let Some(view) = cx.operand(op, view_at).and_then(Type::as_tile_view) else { return };
    let indices = cx.body.group(op, index_at);
    if indices.len() != view.tile.len() {
        let ty = (cx.type_place(Slot::Operand(view_at as u8), 0), cx.body.ty(cx.body.group(op, view_at)[0]));
        let counts = (view.tile.len(), indices.len());
        let list = cx.index_list();
        let place = list.clone().filter(|list| cx.on_one_line(list, &ty.0)).unwrap_or_else(|| ty.0.clone());
        return found.push(d::index_count(place, list, row.name, counts, ty));
    }
    if let Attr::BoolList(inbounds) = cx.attr(op, AttrName::Inbounds)
        && inbounds.len() != view.tile.len()
    {
        let place = cx.attr_place(op, AttrName::Inbounds);
        return found.push(d::inbounds_count(place, row.name, view.tile.len(), inbounds.len()));
    }
    let sparse = match view.access {
        Access::GatherScatter { sparse_dim } => Some(sparse_dim),
        _ => None,
    };
    let mut first: Option<Type> = None;
    for (dim, &index) in indices.iter().enumerate() {
        let ty = cx.body.ty(index);
        let Some(tile) = ty.as_tile() else { continue };
        let place = cx.type_place(Slot::Operand(index_at as u8), if dim < count(cx, index_at) { dim } else { 0 });
        if sparse == Some(dim) {
            if *tile.shape != [view.tile[dim]] {
                return found.push(d::sparse_index(place, ty, view.tile[dim]));
            }
        } else if tile.rank() != 0 {
            return found.push(d::index_scalar(place, dim, ty));
        } else if first.is_some_and(|first| first != ty) {
            return found.push(d::index_types(place, first.unwrap_or(ty), ty));
        } else {
            first = Some(ty);
        }
    }
}

fn count(cx: &Cx, operand: usize) -> usize {
    cx.places.types.iter().filter(|(slot, _)| *slot == Slot::Operand(operand as u8)).count()
}
