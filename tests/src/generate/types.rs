//! Tile types and random shapes.

use fastrand::Rng;
use std::fmt;
use tile_dialect::Element;

/// The largest number of elements of a generated tile, except in matrix products.
const MAX_ELEMENTS: u32 = 64;

/// The type of a tile of numbers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Tile {
    pub(super) element: Element,
    pub(super) shape: Vec<u32>,
}

impl Tile {
    pub(super) fn new(element: Element, shape: &[u32]) -> Tile {
        Tile { element, shape: shape.to_vec() }
    }

    pub(super) fn scalar(element: Element) -> Tile {
        Tile::new(element, &[])
    }

    /// The type with another element.
    pub(super) fn of(&self, element: Element) -> Tile {
        Tile::new(element, &self.shape)
    }

    /// The number of elements.
    pub(super) fn count(&self) -> u32 {
        self.shape.iter().product()
    }

    pub(super) fn rank(&self) -> usize {
        self.shape.len()
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tile<{}{}>", extents(&self.shape), self.element)
    }
}

/// The type of a tile of pointers.
pub(super) fn pointers(element: Element, shape: &[u32]) -> String {
    format!("tile<{}ptr<{element}>>", extents(shape))
}

/// `4x8x`
fn extents(shape: &[u32]) -> String {
    shape.iter().map(|extent| format!("{extent}x")).collect()
}

/// `4x8`
pub(super) fn times(shape: &[u32]) -> String {
    list(shape, "x")
}

/// `4, 8`
pub(super) fn commas<T: ToString>(items: &[T]) -> String {
    list(items, ", ")
}

fn list<T: ToString>(items: &[T], between: &str) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(between)
}

/// A shape with at most [`MAX_ELEMENTS`] elements. Most have rank 1 or 2.
pub(super) fn shape(rng: &mut Rng) -> Vec<u32> {
    let rank = [0, 1, 1, 1, 1, 2, 2, 2, 3][rng.usize(..9)];
    let mut left = MAX_ELEMENTS.ilog2();
    let mut shape = Vec::new();
    for _ in 0..rank {
        let power = rng.u32(0..=left.min(if rank == 1 { 6 } else { 4 }));
        left -= power;
        shape.push(1 << power);
    }
    shape
}

/// A shape with this number of elements, a power of two.
pub(super) fn shape_of(rng: &mut Rng, count: u32) -> Vec<u32> {
    let mut left = count.ilog2();
    let mut shape = Vec::new();
    let rank = rng.usize(0..4);
    while shape.len() < rank {
        let power = rng.u32(0..=left);
        left -= power;
        shape.push(1 << power);
    }
    if left > 0 {
        shape.push(1 << left);
    }
    shape
}

/// The smallest and the largest signed integer of an element.
pub(super) fn signed_range(element: Element) -> (i64, i64) {
    (i64::MIN >> (64 - element.bits()), i64::MAX >> (64 - element.bits()))
}
