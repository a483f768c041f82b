//! The elements of values, buffers and results, as rows.

use crate::debug::Item;
use std::ops::Range;
use tile_analysis::number::{decode, decode_int, shortest};
use tile_analysis::types::{Scalar, Type};
use tile_dialect::Element;
use tile_engine::{Elements, Memory, Shown, Summary};
use tile_launch::Buffer;
use tile_launch::expr::{Array, Data};
use tile_runner::Arguments;

/// Something with elements.
pub(super) struct Inspected<'a> {
    /// The extents, outermost first.
    pub(super) extents: Vec<usize>,
    pub(super) contents: Contents<'a>,
}

/// Elements in row-major order.
pub(super) enum Contents<'a> {
    /// The elements of a tile, with its element type.
    Tile(Scalar, Elements<'a>),
    /// The elements of a buffer.
    Buffer(BufferContents<'a>),
    /// The result of a formula.
    Numbers(Element, Data),
}

/// The current contents of a buffer, which are read when they are shown.
pub(super) struct BufferContents<'a> {
    pub(super) buffer: &'a Buffer,
    /// The number of its parameter.
    pub(super) number: usize,
    pub(super) arguments: Arguments<'a>,
    pub(super) memory: &'a Memory,
}

/// Buffers with more elements are shown without a summary, because every stop shows them.
const MAX_SUMMARIZED: usize = 1 << 18;

impl Inspected<'_> {
    /// Numbers to write as elements of a type.
    pub(super) fn numbers(element: Element, array: Array) -> Inspected<'static> {
        Inspected { extents: array.shape().to_vec(), contents: Contents::Numbers(element, array.into_data()) }
    }

    /// The row with these indices, or the element if there is an index for each dimension.
    pub(super) fn item(&self, index: &[u64]) -> Item {
        let (outer, inner) = self.extents.split_at(index.len().min(self.extents.len()));
        let size: usize = inner.iter().product();
        let start = outer.iter().zip(index).fold(0, |start, (extent, &index)| start * extent + index as usize) * size;
        let (ty, shown) = match &self.contents {
            Contents::Tile(element, elements) => {
                let shape: Vec<i64> = inner.iter().map(|&extent| extent as i64).collect();
                (Type::tile_of(&shape, *element).to_string(), elements.part(start, inner))
            }
            Contents::Buffer(buffer) => {
                let numbers = || (start..start + size).map(|index| number_of(buffer.element(), buffer.bits(index)));
                let summary = || (size <= MAX_SUMMARIZED).then(|| Summary::of(numbers()));
                let text = |index| text_of(buffer.element(), buffer.bits(start + index));
                (array_type(buffer.element(), inner), Shown::of(inner, text, summary))
            }
            Contents::Numbers(element, numbers) => {
                let summary = || Some(Summary::of((start..start + size).map(|index| number(numbers, index))));
                (array_type(*element, inner), Shown::of(inner, |index| text(*element, numbers, start + index), summary))
            }
        };
        Item { ty, shown, extents: inner.iter().map(|&extent| extent as u64).collect() }
    }

    /// Children of the row with these indices.
    pub(super) fn children(&self, row: &[u64], range: Range<u64>) -> Vec<Item> {
        let is_inside = row.iter().zip(&self.extents).all(|(&index, &extent)| index < extent as u64);
        let Some(&extent) = self.extents.get(row.len()).filter(|_| is_inside) else { return Vec::new() };
        let child = |index| self.item(&[row, &[index]].concat());
        (range.start..range.end.min(extent as u64)).map(child).collect()
    }
}

impl BufferContents<'_> {
    fn element(&self) -> Element {
        self.buffer.element
    }

    /// The bits of an element, by its index in row-major order.
    fn bits(&self, index: usize) -> u64 {
        let (mut rest, mut position) = (index as u64, 0);
        for (&extent, stride) in self.buffer.shape.iter().zip(&self.buffer.strides).rev() {
            position += rest % extent * stride;
            rest /= extent;
        }
        self.arguments.placement.element_bits(self.number, position as usize, self.memory).unwrap_or(0)
    }
}

fn array_type(element: Element, extents: &[usize]) -> String {
    if extents.is_empty() { element.to_string() } else { format!("{element}{extents:?}") }
}

/// An element as text, by its bits.
pub(super) fn text_of(element: Element, bits: u64) -> String {
    match element {
        element if element.is_int() => decode_int(element, bits).to_string(),
        element => shortest::real(element, decode(element, bits)),
    }
}

fn number_of(element: Element, bits: u64) -> f64 {
    if element.is_int() { decode_int(element, bits) as f64 } else { decode(element, bits) }
}

fn number(numbers: &Data, index: usize) -> f64 {
    match numbers {
        Data::Whole(numbers) => numbers[index] as f64,
        Data::Real(numbers) => numbers[index],
    }
}

fn text(element: Element, numbers: &Data, index: usize) -> String {
    match numbers {
        Data::Whole(numbers) => numbers[index].to_string(),
        Data::Real(numbers) => shortest::real(element, numbers[index]),
    }
}
