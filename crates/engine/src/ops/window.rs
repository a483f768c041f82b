//! The memory addresses of a tile's elements in a view.

use crate::findings::{inbounds_violated, index_outside_index_space, not_supported};
use crate::memory::rows::Rows;
use crate::ops::context::{OpContext, Tiled};
use crate::ops::kernel::OpResult;
use crate::ops::shape::row_major;
use crate::values::tile::Tile;
use crate::values::value::{Tensor, Value};
use tile_analysis::ir::Attr;
use tile_analysis::number::{decode_int, encode, encode_literal};
use tile_analysis::types::{Access, TileViewType};
use tile_dialect::{AttrName, Element, OperandName, PADDING};

/// How an op accesses a view, as far as it is known before the run.
pub(crate) struct Reach {
    view: &'static TileViewType,
    /// The element type of the tensor.
    pub(crate) element: Element,
    /// The extents of the tile.
    pub(crate) extents: Vec<usize>,
    /// The index of the first index operand, and their number.
    indices: (usize, usize),
    /// The element type of each index operand.
    index_elements: Vec<Element>,
    /// The index of the view among the operands.
    pub(crate) place: usize,
    sparse_dim: Option<usize>,
    /// The dimensions along which the program guarantees to stay inside the tensor.
    inbounds: Vec<bool>,
}

/// The location of a tile in memory.
pub(crate) struct Window {
    base: u64,
    lines: Vec<DimIndices>,
}

/// The positions of the tile's elements along one dimension, in elements from the base, without those outside the
/// tensor.
enum DimIndices {
    /// With a constant stride.
    Strided { first: i64, stride: i64, count: usize },
    /// Arbitrary: the indices in the tile of the elements inside the tensor, and their positions.
    Gathered(Vec<(usize, i64)>),
}

impl Reach {
    /// The access of an op with the operands `view` and `index`.
    pub(crate) fn of(cx: &OpContext<'_>) -> OpResult<Reach> {
        let Some(view) = cx.operand_type(OperandName::View).as_tile_view() else {
            return Err(not_supported::op(cx.op.op));
        };
        let sparse_dim = match view.access {
            Access::GatherScatter { sparse_dim } => Some(sparse_dim),
            _ => None,
        };
        let inbounds = match cx.op.op.row().attr(AttrName::Inbounds).map(|_| cx.attr(AttrName::Inbounds)) {
            Some(Attr::BoolList(list)) => list.to_vec(),
            _ => Vec::new(),
        };
        let indices = cx.group(OperandName::Index);
        let operands = &cx.body.operands(cx.op)[indices.0..][..indices.1];
        Ok(Reach {
            view,
            element: view.tensor().element,
            extents: view.tile.iter().map(|&extent| extent as usize).collect(),
            indices,
            index_elements: operands.iter().map(|&value| Tiled::of(cx.body.ty(value)).element).collect(),
            place: cx.place(OperandName::View),
            sparse_dim,
            inbounds,
        })
    }

    /// The window that the operands select.
    pub(crate) fn window(&self, inputs: &[Value]) -> OpResult<Window> {
        let tensor = inputs[self.place].view();
        let indices = &inputs[self.indices.0..][..self.indices.1];
        let lines = indices.iter().enumerate().map(|(dim, index)| self.line(tensor, dim, index.tile()));
        Ok(Window { base: tensor.base, lines: lines.collect::<OpResult<_>>()? })
    }

    fn line(&self, tensor: &Tensor, dim: usize, index: &Tile) -> OpResult<DimIndices> {
        let tensor_dim = self.view.tensor_dim(dim);
        let (extent, stride) = (tensor.shape[tensor_dim], tensor.strides[tensor_dim]);
        if self.sparse_dim == Some(dim) {
            return self.picked(tensor, dim, index);
        }
        let space = self.view.index_space(dim, extent);
        let Some(inside) = below(read(index, 0), space) else {
            return Err(index_outside_index_space::fault(dim, self.shown(dim, read(index, 0)), self.space(tensor)));
        };
        let start = inside * self.view.step(dim);
        let count = (extent - start).clamp(0, self.view.tile[dim]);
        if count < self.view.tile[dim] && self.inbounds.get(dim) == Some(&true) {
            return Err(inbounds_violated::fault(dim, start, self.view.tile[dim], extent));
        }
        Ok(DimIndices::Strided { first: start * stride, stride, count: count as usize })
    }

    /// The elements selected by the indices of the sparse dimension. Those outside the tensor are ignored, unless all
    /// are: then the whole tile is outside, which is undefined.
    fn picked(&self, tensor: &Tensor, dim: usize, index: &Tile) -> OpResult<DimIndices> {
        let (extent, stride) = (tensor.shape[dim], tensor.strides[dim]);
        let rows = (0..self.extents[dim]).map(|row| (row, read(index, row)));
        let picked = rows.clone().filter_map(|(row, index)| Some((row, below(index, extent)? * stride)));
        let picked: Vec<(usize, i64)> = picked.collect();
        let outside = rows.clone().find(|&(_, index)| below(index, extent).is_none());
        match outside {
            Some((_, index)) if picked.is_empty() => {
                Err(index_outside_index_space::all_outside(dim, self.shown(dim, index), self.space(tensor)))
            }
            Some((row, index)) if self.inbounds.get(dim) == Some(&true) => {
                Err(inbounds_violated::index_fault(dim, row, self.shown(dim, index), extent))
            }
            _ => Ok(DimIndices::Gathered(picked)),
        }
    }

    /// An index as the program wrote it: signed, although it is used as unsigned.
    fn shown(&self, dim: usize, index: u64) -> i64 {
        decode_int(self.index_elements[dim], index)
    }

    fn space(&self, tensor: &Tensor) -> Vec<i64> {
        let extent = |dim| self.view.index_space(dim, tensor.shape[self.view.tensor_dim(dim)]);
        (0..self.extents.len()).map(extent).collect()
    }

    /// Whether elements outside the tensor have a value.
    pub(crate) fn is_padded(&self) -> bool {
        self.view.padding.is_some()
    }

    /// The bits of elements outside the tensor. If they are unspecified, they are 0, as on GPUs.
    pub(crate) fn padding(&self) -> u64 {
        self.view.padding.map_or(0, |padding| padding_bits(self.element, padding))
    }
}

/// An index if it is less than an extent.
fn below(index: u64, extent: i64) -> Option<i64> {
    i64::try_from(index).ok().filter(|&index| index < extent)
}

/// An index, which is unsigned whatever its type.
fn read(index: &Tile, place: usize) -> u64 {
    index.bits(if index.stored() == 1 { 0 } else { place })
}

/// The bits of a padding value.
fn padding_bits(element: Element, padding: u8) -> u64 {
    match PADDING.keyword(padding) {
        "neg_zero" => encode(element, -0.0),
        "nan" => encode(element, f64::NAN),
        // The encoding of a literal of this type, not a conversion, which would saturate.
        "pos_inf" => encode_literal(element, f64::INFINITY),
        "neg_inf" => encode_literal(element, f64::NEG_INFINITY),
        _ => 0,
    }
}

/// The value of unspecified elements: NaN, or a recognizable number.
pub(crate) fn unspecified(element: Element) -> u64 {
    if element.is_float() { encode(element, f64::NAN) } else { 0xAAAA_AAAA_AAAA_AAAA >> (64 - element.bits()) }
}

impl DimIndices {
    fn count(&self) -> usize {
        match self {
            DimIndices::Strided { count, .. } => *count,
            DimIndices::Gathered(rows) => rows.len(),
        }
    }

    /// The indices in the tile and the offsets in memory, both along the dimension.
    fn at(&self, index: usize) -> (usize, i64) {
        match self {
            DimIndices::Strided { first, stride, .. } => (index, first + index as i64 * stride),
            DimIndices::Gathered(rows) => rows[index],
        }
    }
}

impl Window {
    /// The address of the first element, if any is inside the tensor.
    pub(crate) fn first(&self, size: usize) -> Option<u64> {
        let place = |line: &DimIndices| (line.at(0).1 as u64).wrapping_mul(size as u64);
        let is_empty = self.lines.iter().any(|line| line.count() == 0);
        (!is_empty).then(|| self.lines.iter().fold(self.base, |first, line| first.wrapping_add(place(line))))
    }

    /// Moves the window by a number of bytes in memory.
    pub(crate) fn shift(&mut self, distance: u64) {
        self.base = self.base.wrapping_add(distance);
    }

    /// Whether all elements of the tile are inside the tensor.
    pub(crate) fn is_full(&self, extents: &[usize]) -> bool {
        self.lines.iter().zip(extents).all(|(line, &extent)| line.count() == extent)
    }

    /// The strides of the elements in bytes, if all are inside the tensor and have constant strides.
    pub(crate) fn strides(&self, extents: &[usize], size: usize) -> Option<impl Iterator<Item = u64>> {
        let stride = move |line: &DimIndices| match *line {
            DimIndices::Strided { stride, .. } => Some((stride as u64).wrapping_mul(size as u64)),
            DimIndices::Gathered(_) => None,
        };
        let is_strided = self.lines.iter().all(|line| stride(line).is_some());
        (is_strided && self.is_full(extents)).then(|| self.lines.iter().filter_map(stride))
    }

    /// The contiguous rows along the last dimension, if all elements are inside the tensor and form such rows.
    pub(crate) fn in_rows(&self, extents: &[usize], size: usize) -> Option<Rows> {
        let size = size as u64;
        let place = |line: &DimIndices| (line.at(0).1 as u64).wrapping_mul(size);
        let evenly = |line: &DimIndices| match *line {
            DimIndices::Strided { stride, count, .. } => Some((stride, count)),
            DimIndices::Gathered(_) => None,
        };
        if !self.is_full(extents) {
            return None;
        }
        let first = self.lines.iter().fold(self.base, |first, line| first.wrapping_add(place(line)));
        let long = self.lines.iter().filter(|line| line.count() > 1).map(evenly);
        match long.collect::<Option<Vec<_>>>()?[..] {
            [(1, count)] => Some(Rows { first, count, rows: 1, step: 0 }),
            [(step, rows), (1, count)] if step > 0 => Some(Rows { first, count, rows, step: step as u64 * size }),
            _ => None,
        }
    }

    /// The innermost dimension of the traversal: one along which elements are adjacent in memory if there is one,
    /// otherwise the last one.
    pub(crate) fn fastest(&self) -> usize {
        let neighbors = |line: &DimIndices| matches!(line, DimIndices::Strided { stride: 1, count: 2.., .. });
        self.lines.iter().rposition(neighbors).unwrap_or(self.lines.len().saturating_sub(1))
    }

    /// Calls `visit` for the elements inside the tensor, one row along the last dimension at a time.
    pub(crate) fn rows(
        &self,
        extents: &[usize],
        size: usize,
        visit: &mut impl FnMut(Row) -> OpResult<()>,
    ) -> OpResult<()> {
        self.rows_along(self.lines.len().saturating_sub(1), extents, size, visit)
    }

    /// Like [`Window::rows`], along another dimension.
    pub(crate) fn rows_along(
        &self,
        along: usize,
        extents: &[usize],
        size: usize,
        visit: &mut impl FnMut(Row) -> OpResult<()>,
    ) -> OpResult<()> {
        let strides = row_major(extents);
        let start = Row { place: 0, skip: 1, address: self.base, step: size as u64, count: 1 };
        self.visit(0, along, start, &strides, size as u64, visit)
    }

    fn visit(
        &self,
        dim: usize,
        along: usize,
        row: Row,
        strides: &[usize],
        size: u64,
        visit: &mut impl FnMut(Row) -> OpResult<()>,
    ) -> OpResult<()> {
        let moved = |row: Row, elements: i64| row.address.wrapping_add((elements as u64).wrapping_mul(size));
        match self.lines.get(dim) {
            None => visit(row),
            Some(&DimIndices::Strided { first, stride, count }) if dim == along => {
                let step = (stride as u64).wrapping_mul(size);
                let row = Row { skip: strides[dim], address: moved(row, first), step, count, ..row };
                self.visit(dim + 1, along, row, strides, size, visit)
            }
            Some(line) => (0..line.count()).try_for_each(|index| {
                let (position, offset) = line.at(index);
                let row = Row { place: row.place + position * strides[dim], address: moved(row, offset), ..row };
                self.visit(dim + 1, along, row, strides, size, visit)
            }),
        }
    }
}

/// Elements with a constant stride, in the tile and in memory.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    /// The index of the first one in the tile.
    pub(crate) place: usize,
    /// The stride in the tile.
    pub(crate) skip: usize,
    /// The address of the first one.
    pub(crate) address: u64,
    /// The stride in memory, in bytes.
    pub(crate) step: u64,
    /// The number of elements.
    pub(crate) count: usize,
}
