//! Loads and stores of tiles through views: where each element of a tile lies in memory.

use super::shape::row_major;
use crate::cpu::kernel::{Kernel, Outcome};
use crate::cpu::memory::{Memory, clean};
use crate::cpu::site::{Site, Tiled};
use crate::cpu::tile::{Kind, Tile, Word, full, with_kind};
use crate::cpu::value::{Tensor, Value};
use crate::findings::{inbounds_violated, index_outside_index_space, not_supported};
use crate::number::encode;
use tile_analysis::ir::Attr;
use tile_analysis::types::{Access, TileViewType};
use tile_dialect::{Element, PADDING};

/// How an op reaches into a view: what its plan knows.
pub(super) struct Reach {
    view: &'static TileViewType,
    element: Element,
    extents: Vec<usize>,
    /// Where the index operands are, and how many.
    indices: (usize, usize),
    /// Where the view is.
    place: usize,
    sparse_dim: Option<usize>,
    /// The dimensions along which the program promises to stay inside the tensor.
    inbounds: Vec<bool>,
}

/// One tile in memory.
pub(super) struct Window {
    base: u64,
    lines: Vec<Line>,
}

/// Where the elements of a tile lie along one of its dimensions, in elements from the base; those beyond the tensor are
/// left out.
enum Line {
    /// At even distances.
    Even { first: i64, stride: i64, count: usize },
    /// Anywhere.
    Picked(Vec<i64>),
}

impl Reach {
    /// What an op with the operands `view` and `index` reaches.
    pub(super) fn of(site: &Site<'_>) -> Outcome<Reach> {
        let Some(view) = site.operand_type("view").as_tile_view() else {
            return Err(not_supported::op(site.op.op));
        };
        let sparse_dim = match view.access {
            Access::GatherScatter { sparse_dim } => Some(sparse_dim),
            _ => None,
        };
        let inbounds = match site.op.op.row().attr("inbounds").map(|_| site.attr("inbounds")) {
            Some(Attr::BoolList(list)) => list.to_vec(),
            _ => Vec::new(),
        };
        Ok(Reach {
            view,
            element: view.tensor().element,
            extents: view.tile.iter().map(|&extent| extent as usize).collect(),
            indices: site.group("index"),
            place: site.place("view"),
            sparse_dim,
            inbounds,
        })
    }

    /// Where the tile lies that the operands name.
    pub(super) fn window(&self, inputs: &[Value]) -> Outcome<Window> {
        let tensor = inputs[self.place].view();
        let indices = &inputs[self.indices.0..][..self.indices.1];
        let lines = indices.iter().enumerate().map(|(dim, index)| self.line(tensor, dim, index.tile()));
        Ok(Window { base: tensor.base, lines: lines.collect::<Outcome<_>>()? })
    }

    fn line(&self, tensor: &Tensor, dim: usize, index: &Tile) -> Outcome<Line> {
        let tensor_dim = self.view.tensor_dim(dim);
        let (extent, stride) = (tensor.shape[tensor_dim], tensor.strides[tensor_dim]);
        let space = self.view.index_space(dim, extent);
        let inside = |index: u64| match i64::try_from(index) {
            Ok(index) if index < space => Ok(index),
            _ => Err(index_outside_index_space::fault(dim, index, self.space(tensor))),
        };
        if self.sparse_dim == Some(dim) {
            let rows = (0..self.extents[dim]).map(|row| Ok(inside(read(index, row))? * stride));
            return Ok(Line::Picked(rows.collect::<Outcome<_>>()?));
        }
        let start = inside(read(index, 0))? * self.view.step(dim);
        let count = (extent - start).clamp(0, self.view.tile[dim]);
        if count < self.view.tile[dim] && self.inbounds.get(dim) == Some(&true) {
            return Err(inbounds_violated::fault(dim, start, self.view.tile[dim], extent));
        }
        Ok(Line::Even { first: start * stride, stride, count: count as usize })
    }

    fn space(&self, tensor: &Tensor) -> Vec<i64> {
        let extent = |dim| self.view.index_space(dim, tensor.shape[self.view.tensor_dim(dim)]);
        (0..self.extents.len()).map(extent).collect()
    }

    /// What elements beyond the tensor are.
    fn padding(&self) -> u64 {
        self.view.padding.map_or(unspecified(self.element), |padding| padding_bits(self.element, padding))
    }
}

/// An index, which is unsigned whatever its type.
fn read(index: &Tile, place: usize) -> u64 {
    index.bits(if index.stored() == 1 { 0 } else { place })
}

/// The bits of a padding value.
pub(super) fn padding_bits(element: Element, padding: u8) -> u64 {
    match PADDING.keyword(padding) {
        "neg_zero" => encode(element, -0.0),
        "nan" => encode(element, f64::NAN),
        "pos_inf" => encode(element, f64::INFINITY),
        "neg_inf" => encode(element, f64::NEG_INFINITY),
        _ => 0,
    }
}

/// What stands where the language leaves an element unspecified: NaN, or a number that is easily recognised.
pub(super) fn unspecified(element: Element) -> u64 {
    if element.is_float() { encode(element, f64::NAN) } else { 0xAAAA_AAAA_AAAA_AAAA >> (64 - element.bits()) }
}

impl Line {
    fn count(&self) -> usize {
        match self {
            Line::Even { count, .. } => *count,
            Line::Picked(rows) => rows.len(),
        }
    }

    fn at(&self, index: usize) -> i64 {
        match self {
            Line::Even { first, stride, .. } => first + index as i64 * stride,
            Line::Picked(rows) => rows[index],
        }
    }
}

impl Window {
    /// Calls `row` for each row of elements that lie inside the tensor: with its place in the tile, its address, the
    /// distance in bytes from one element to the next, and the number of elements.
    pub(super) fn rows(
        &self,
        extents: &[usize],
        size: usize,
        row: &mut impl FnMut(usize, u64, u64, usize) -> Outcome<()>,
    ) -> Outcome<()> {
        let strides = row_major(extents);
        self.visit(0, 0, 0, &strides, size, row)
    }

    fn visit(
        &self,
        dim: usize,
        place: usize,
        offset: i64,
        strides: &[usize],
        size: usize,
        row: &mut impl FnMut(usize, u64, u64, usize) -> Outcome<()>,
    ) -> Outcome<()> {
        let address = |offset: i64| self.base.wrapping_add((offset as u64).wrapping_mul(size as u64));
        match self.lines.get(dim) {
            None => row(place, address(offset), size as u64, 1),
            Some(Line::Even { first, stride, count }) if dim + 1 == self.lines.len() => {
                row(place, address(offset + first), *stride as u64 * size as u64, *count)
            }
            Some(line) => (0..line.count()).try_for_each(|index| {
                self.visit(dim + 1, place + index * strides[dim], offset + line.at(index), strides, size, row)
            }),
        }
    }
}

/// Adds to a fault what the view was.
fn with_view<T>(outcome: Outcome<T>, tensor: &Tensor) -> Outcome<T> {
    outcome.map_err(|fault| {
        fault.note(format!("the tensor view has the shape {:?} and the strides {:?}", tensor.shape, tensor.strides))
    })
}

/// `load_view_tko`.
pub(super) fn load(site: &Site<'_>) -> Outcome<Kernel> {
    let reach = Reach::of(site)?;
    let kind = Kind::of(reach.element);
    let padding = reach.padding();
    Ok(Box::new(move |context, inputs, results| {
        let window = reach.window(inputs)?;
        let tile = with_kind!(kind, T => {
            let padding = T::of_bits(padding);
            with_view(load_window::<T>(context.memory, &window, &reach.extents, padding), inputs[reach.place].view())?
        });
        results.push(clean(reach.element, tile).into());
        results.push(Value::Token);
        Ok(())
    }))
}

fn load_window<T: Word>(memory: &Memory, window: &Window, extents: &[usize], padding: T) -> Outcome<Tile> {
    let mut out = vec![padding; extents.iter().product()];
    window.rows(extents, T::BYTES, &mut |place, address, step, count| {
        let into = &mut out[place..][..count];
        if step == T::BYTES as u64 {
            return read_row(memory, address, into);
        }
        for (index, into) in into.iter_mut().enumerate() {
            *into = memory.read(address.wrapping_add(index as u64 * step))?;
        }
        Ok(())
    })?;
    Ok(T::tile(out))
}

/// Reads elements that lie one after another.
pub(super) fn read_row<T: Word>(memory: &Memory, address: u64, into: &mut [T]) -> Outcome<()> {
    if into.is_empty() {
        return Ok(());
    }
    match memory.run(address, into.len() * T::BYTES) {
        Some(bytes) if address.is_multiple_of(T::BYTES as u64) => {
            into.iter_mut().zip(bytes.chunks_exact(T::BYTES)).for_each(|(into, bytes)| *into = T::read(bytes));
            Ok(())
        }
        _ => {
            let addresses = (0..into.len()).map(|index| address.wrapping_add((index * T::BYTES) as u64));
            into.iter_mut().zip(addresses).try_for_each(|(into, address)| {
                *into = memory.read(address)?;
                Ok(())
            })
        }
    }
}

/// Writes elements that lie one after another.
pub(super) fn write_row<T: Word>(memory: &mut Memory, address: u64, from: &[T]) -> Outcome<()> {
    if from.is_empty() {
        return Ok(());
    }
    let aligned = address.is_multiple_of(T::BYTES as u64);
    if let Some(bytes) = memory.run_mut(address, size_of_val(from)).filter(|_| aligned) {
        bytes.chunks_exact_mut(T::BYTES).zip(from).for_each(|(bytes, value)| value.write(bytes));
        return Ok(());
    }
    from.iter().enumerate().try_for_each(|(index, &value)| {
        memory.write(address.wrapping_add((index * T::BYTES) as u64), value)
    })
}

/// `store_view_tko`.
pub(super) fn store(site: &Site<'_>) -> Outcome<Kernel> {
    let reach = Reach::of(site)?;
    let (place, tile) = (site.place("tile"), site.operand("tile"));
    Ok(Box::new(move |context, inputs, results| {
        let window = reach.window(inputs)?;
        with_kind!(tile.kind, T => {
            let stored = store_window::<T>(context.memory, &window, &tile, inputs[place].tile());
            with_view(stored, inputs[reach.place].view())?;
        });
        results.push(Value::Token);
        Ok(())
    }))
}

fn store_window<T: Word>(memory: &mut Memory, window: &Window, tile: &Tiled, value: &Tile) -> Outcome<()> {
    let elements = full(T::of(value), tile.count);
    window.rows(&tile.extents(), T::BYTES, &mut |place, address, step, count| {
        let from = &elements[place..][..count];
        if step == T::BYTES as u64 {
            return write_row(memory, address, from);
        }
        from.iter().enumerate().try_for_each(|(index, &value)| {
            memory.write(address.wrapping_add(index as u64 * step), value)
        })
    })
}
