//! Values in readable form.

use crate::findings::bytes;
use crate::memory::Memory;
use crate::memory::unit::Unit;
use crate::observer::tally::{Summary, Tally};
use crate::ops::context::Tiled;
use crate::values::pool::PoolElement;
use crate::values::tile::{Scalar, Tile, with_kind};
use crate::values::value::{Tensor, Value};
use serde::{Deserialize, Serialize};
use std::fmt;
use tile_analysis::number::shortest;
use tile_analysis::number::{decode, decode_int};
use tile_analysis::types::Type;
use tile_dialect::Element;

/// A computed value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Shown {
    /// All elements in nested brackets, or the first ones followed by `…`.
    pub text: String,
    /// A summary of the elements, if not all are shown.
    pub summary: Option<Summary>,
}

/// Tiles with more elements are summarized.
const MAX_SHOWN: usize = 64;

/// The number of elements of a large tile that are shown.
const FIRST: usize = 8;

/// Shows a value; all elements of a large tile only with `whole`.
pub(crate) fn value(ty: Type, value: &Value, memory: &Memory, whole: bool) -> Shown {
    let plain = |text: String| Shown { text, summary: None };
    match value {
        Value::Token => plain("token".to_string()),
        Value::View(tensor) => plain(view(ty, tensor, memory)),
        Value::Tile(tile) => tile_elements(&Tiled::of(ty), tile, memory, whole),
    }
}

fn view(ty: Type, tensor: &Tensor, memory: &Memory) -> String {
    let tensor_type = ty.as_tile_view().map(|view| view.tensor()).or(ty.as_tensor_view());
    let base = match tensor_type {
        Some(tensor_type) => memory.place(tensor.base, tensor_type.element),
        None => format!("{:#x}", tensor.base),
    };
    format!("from {base}, shape {:?}, strides {:?}", tensor.shape, tensor.strides)
}

fn tile_elements(tiled: &Tiled, tile: &Tile, memory: &Memory, whole: bool) -> Shown {
    let stored = tile.stored();
    // In a `reduce` or `scan`, a scalar stands for many elements that are computed at once.
    let (lanes, extents) = if stored > tiled.count { (true, vec![stored]) } else { (false, tiled.extents()) };
    let count: usize = extents.iter().product();
    let element = |index| element(tiled, tile, memory, index);
    let summary = || tiled.pointee.is_none().then(|| tally(tiled.element, tile, count).summary());
    let mut shown = if whole { Shown::whole(&extents, element) } else { Shown::of(&extents, element, summary) };
    if lanes {
        shown.text.insert_str(0, &format!("{count} at once: "));
    }
    shown
}

impl Shown {
    /// Shows elements with these extents, or only the first ones and a summary if there are many.
    pub fn of(
        extents: &[usize],
        element: impl Fn(usize) -> String,
        summary: impl FnOnce() -> Option<Summary>,
    ) -> Shown {
        if extents.iter().product::<usize>() <= MAX_SHOWN {
            return Shown::whole(extents, element);
        }
        let first: Vec<String> = (0..FIRST).map(element).collect();
        Shown { text: format!("{}, …", first.join(", ")), summary: summary() }
    }

    fn whole(extents: &[usize], element: impl Fn(usize) -> String) -> Shown {
        let mut text = String::new();
        nested(&mut text, extents, 0, &element);
        Shown { text, summary: None }
    }
}

fn nested(text: &mut String, extents: &[usize], start: usize, element: &impl Fn(usize) -> String) {
    let [extent, inner @ ..] = extents else { return text.push_str(&element(start)) };
    let size: usize = inner.iter().product();
    text.push('[');
    for index in 0..*extent {
        text.push_str(if index > 0 { ", " } else { "" });
        nested(text, inner, start + index * size, element);
    }
    text.push(']');
}

/// One element of a tile.
pub(crate) fn element(tiled: &Tiled, tile: &Tile, memory: &Memory, index: usize) -> String {
    let bits = tile.bits(if tile.stored() == 1 { 0 } else { index });
    match (tiled.pointee, tiled.element) {
        (Some(pointee), _) => memory.place(bits, pointee),
        (None, Element::I1) => (bits & 1).to_string(),
        (None, element) if element.is_int() => decode_int(element, bits).to_string(),
        (None, element) => shortest::real(element, decode(element, bits)),
    }
}

/// The totals of the elements of a tile that does not hold pointers.
pub(crate) fn tally(element: Element, tile: &Tile, count: usize) -> Tally {
    let mut tally = Tally::default();
    if tile.stored() == 1 {
        tally.add(number(element, tile.bits(0)), count as u64);
        return tally;
    }
    match tile {
        // Decoding by type is much faster than by element.
        Tile::F32(elements) => elements.iter().for_each(|&value| tally.add(value.into(), 1)),
        Tile::F64(elements) => elements.iter().for_each(|&value| tally.add(value, 1)),
        _ => with_kind!(tile.kind(), T => for &value in T::of(tile) {
            tally.add(number(element, value.bits()), 1);
        }),
    }
    tally
}

/// The number with these bits.
fn number(element: Element, bits: u64) -> f64 {
    match element {
        Element::I1 => (bits & 1) as f64,
        element if element.is_int() => decode_int(element, bits) as f64,
        element => decode(element, bits),
    }
}

impl Memory {
    /// A pointer as an element of its allocation: `%a[3]`.
    pub(crate) fn place(&self, pointer: u64, pointee: Element) -> String {
        let (address, place) = (Unit::of(pointee).address(pointer), Unit::of(pointee).nibbles(pointer));
        let inside = self.below(address).map(|index| &self.allocations[index]);
        let inside = inside.map(|allocation| (allocation, place - 2 * allocation.base));
        let Some((allocation, offset)) = inside.filter(|(found, offset)| *offset <= 2 * found.cells.len() as u64)
        else {
            return if address == 0 { "null".to_string() } else { format!("{address:#x}") };
        };
        let name = if allocation.op.is_none() { &allocation.name } else { "scratch memory" };
        let size = pointee.nibbles();
        match offset % size {
            0 => format!("{name}[{}]", offset / size),
            rest => format!("{name}[{}] + {}", offset / size, bytes(rest)),
        }
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.summary {
            None => f.write_str(&self.text),
            Some(summary) if summary.is_uniform() => summary.fmt(f),
            Some(summary) => write!(f, "{summary}, first {}", self.text),
        }
    }
}
