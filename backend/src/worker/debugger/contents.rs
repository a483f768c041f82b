//! The elements of values, buffers and results, as rows.

use crate::debug::Item;
use std::ops::Range;
use tile_analysis::number::shortest;
use tile_analysis::types::{Scalar, Type};
use tile_dialect::Element;
use tile_engine::{Elements, Shown, Summary};
use tile_launch::expr::{Array, Data};

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
    /// The contents of a buffer or the result of a formula.
    Numbers(Element, Data),
}

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
            Contents::Numbers(element, numbers) => {
                let summary = || Summary::of((start..start + size).map(|index| number(numbers, index)));
                let shown = Shown::of(inner, |index| text(*element, numbers, start + index), || Some(summary()));
                (if inner.is_empty() { element.to_string() } else { format!("{element}{inner:?}") }, shown)
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
