//! Views: creating them, and querying their extents.

use crate::findings::{extent_too_large, invalid_tensor_view as invalid};
use crate::memory::recorded_views::RecordedView;
use crate::memory::unit::Unit;
use crate::ops::chapter::Chapter;
use crate::ops::context::OpContext;
use crate::ops::kernel::{Kernel, OpResult};
use crate::ops::precondition::Precondition;
use crate::values::tile::{ScalarKind, Tile};
use crate::values::value::{Tensor, Value};
use std::sync::Arc;
use tile_analysis::types::{TensorViewType, TileViewType};
use tile_dialect::{Element, Mnemonic as M, OperandName};

use crate::ops::tile_view;

pub(crate) static CHAPTER: Chapter = Chapter {
    ops: &[
        (M::GetIndexSpaceShape, get_index_space_shape),
        (M::GetTensorShape, get_tensor_shape),
        (M::LoadViewTko, tile_view::load),
        (M::MakeGatherScatterView, same),
        (M::MakePartitionView, same),
        (M::MakeStridedView, same),
        (M::MakeTensorView, make_tensor_view),
        (M::StoreViewTko, tile_view::store),
    ],
    elementwise: false,
};

/// The tiling of a tensor view is part of its type only.
fn same(_: &OpContext<'_>) -> OpResult<Kernel> {
    Ok(Box::new(|_, inputs, results| {
        results.push(inputs[0].clone());
        Ok(())
    }))
}

/// A number in a list that is either static in the type or given by an operand.
#[derive(Clone, Copy)]
enum Entry {
    Fixed(u64),
    Operand { place: usize },
}

impl Entry {
    fn list(cx: &OpContext<'_>, entries: &[Option<i64>], operands: OperandName) -> Vec<Entry> {
        let mut places = cx.group(operands).0..;
        let entry = |entry: &Option<i64>| match entry {
            Some(value) => Entry::Fixed(*value as u64),
            None => Entry::Operand { place: places.next().unwrap_or(0) },
        };
        entries.iter().map(entry).collect()
    }

    /// The number; operands are unsigned.
    fn value(self, inputs: &[Value]) -> u64 {
        match self {
            Entry::Fixed(value) => value,
            Entry::Operand { place } => inputs[place].tile().bits(0),
        }
    }
}

fn tensor_type(cx: &OpContext<'_>) -> &'static TensorViewType {
    static NONE: std::sync::LazyLock<TensorViewType> = std::sync::LazyLock::new(|| TensorViewType {
        element: Element::I8,
        shape: [].into(),
        strides: [].into(),
        attr: None,
    });
    cx.result_type(0).as_tensor_view().unwrap_or(&NONE)
}

fn make_tensor_view(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let ty = tensor_type(cx);
    let shape = Entry::list(cx, &ty.shape, OperandName::DynamicShape);
    let strides = Entry::list(cx, &ty.strides, OperandName::DynamicStrides);
    Ok(Box::new(move |context, inputs, results| {
        let values = |entries: &[Entry]| entries.iter().map(|entry| entry.value(inputs)).collect::<Box<[u64]>>();
        let (shape, strides) = (values(&shape), values(&strides));
        if !is_reachable(&shape, &strides) {
            return Err(invalid::too_far(&shape, &strides));
        }
        if ty.element.bits() == 4 && !lies_in_bytes(&shape, &strides) {
            return Err(invalid::split_bytes(ty.element, &shape, &strides));
        }
        let [shape, strides] = [shape, strides].map(|numbers| numbers.iter().map(|&number| number as i64).collect());
        let base = inputs[0].tile().bits(0);
        context.memory.makes_view(|| RecordedView {
            address: Unit::of(ty.element).address(base),
            shape: Clone::clone(&shape),
            strides: Clone::clone(&strides),
            element: ty.element,
        });
        results.push(Value::View(Arc::new(Tensor { base, shape, strides })));
        Ok(())
    }))
}

/// The preconditions that no dynamic stride is 0. Violations make elements of the tensor overlap, as on GPUs.
pub(crate) fn positive_strides(cx: &OpContext<'_>) -> Vec<Precondition> {
    let open = (0..).zip(&tensor_type(cx).strides).filter(|(_, stride)| stride.is_none());
    let (first, count) = cx.group(OperandName::DynamicStrides);
    let precondition = |((dim, _), operand): ((usize, _), usize)| {
        let is_zero =
            move |inputs: &[Value]| Tile::splat(ScalarKind::Bool, u64::from(inputs[operand].tile().bits(0) == 0));
        Precondition { operand: Some(operand), ..Precondition::strict(is_zero, move |_, _| invalid::stride(dim)) }
    };
    open.zip(first..first + count).map(precondition).collect()
}

/// Whether the byte offset of every element fits a signed 64-bit number, whatever the element type.
fn is_reachable(shape: &[u64], strides: &[u64]) -> bool {
    const MOST: u64 = i64::MAX as u64 / 8;
    let last = shape
        .iter()
        .zip(strides)
        .try_fold(0u64, |sum, (extent, stride)| sum.checked_add(extent.saturating_sub(1).checked_mul(*stride)?));
    last.is_some_and(|last| last <= MOST) && strides.iter().all(|&stride| i64::try_from(stride).is_ok())
}

/// Whether elements that share bytes are stored in pairs.
fn lies_in_bytes(shape: &[u64], strides: &[u64]) -> bool {
    let mut dense = shape.iter().zip(strides).filter(|(_, stride)| **stride == 1).peekable();
    dense.peek().is_some() && dense.all(|(extent, _)| extent.is_multiple_of(2))
}

fn get_tensor_shape(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let result = cx.result(0);
    Ok(Box::new(move |_, inputs, results| {
        for (dim, &extent) in inputs[0].view().shape.iter().enumerate() {
            results.push(Value::Tile(extent_tile(result.element, dim, extent)?));
        }
        Ok(())
    }))
}

fn get_index_space_shape(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let result = cx.result(0);
    let Some(view): Option<&'static TileViewType> = cx.operand_type(OperandName::Src).as_tile_view() else {
        return get_tensor_shape(cx);
    };
    Ok(Box::new(move |_, inputs, results| {
        let tensor = inputs[0].view();
        for dim in 0..view.tile.len() {
            let extent = view.index_space(dim, tensor.shape[view.tensor_dim(dim)]);
            results.push(Value::Tile(extent_tile(result.element, dim, extent)?));
        }
        Ok(())
    }))
}

/// An extent as an unsigned integer, which must fit.
fn extent_tile(element: Element, dim: usize, extent: i64) -> OpResult<Tile> {
    let fits = element == Element::I64 || extent < 1 << element.bits();
    if !fits {
        return Err(extent_too_large::fault(dim, extent, element));
    }
    Ok(Tile::splat(crate::values::tile::ScalarKind::of(element), extent as u64))
}
