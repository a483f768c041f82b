//! The elements of a computed tile.

use crate::memory::Memory;
use crate::observer::show::{self, Shown};
use crate::observer::tally::Summary;
use crate::ops::context::Tiled;
use crate::values::tile::Tile;
use tile_analysis::number::{decode, decode_int};
use tile_dialect::Element;

/// The elements of a tile, in row-major order.
pub struct Elements<'a> {
    pub(crate) tiled: Tiled,
    pub(crate) tile: &'a Tile,
    pub(crate) memory: &'a Memory,
}

impl Elements<'_> {
    /// The extents, outermost first. In a `reduce` or `scan`, a scalar has as many elements as are computed at once.
    pub fn extents(&self) -> Vec<usize> {
        let stored = self.tile.stored();
        if stored > self.tiled.count { vec![stored] } else { self.tiled.extents() }
    }

    /// The element type; `None` for pointers.
    pub fn element(&self) -> Option<Element> {
        self.tiled.pointee.is_none().then_some(self.tiled.element)
    }

    /// The elements in the format of [`Memory::allocate`].
    pub fn bytes(&self) -> Vec<u8> {
        let (count, size) = (self.extents().iter().product(), self.tiled.element.bytes());
        (0..count).flat_map(|index| self.bits(index).to_le_bytes().into_iter().take(size)).collect()
    }

    /// Shows the elements of a part with these extents that begins at `start`.
    pub fn part(&self, start: usize, extents: &[usize]) -> Shown {
        let count: usize = extents.iter().product();
        let numbers = || (start..start + count).map(|index| self.number(index));
        let text = |index| show::element(&self.tiled, self.tile, self.memory, start + index);
        Shown::of(extents, text, || self.element().is_some().then(|| Summary::of(numbers())))
    }

    fn bits(&self, index: usize) -> u64 {
        self.tile.bits(if self.tile.stored() == 1 { 0 } else { index })
    }

    fn number(&self, index: usize) -> f64 {
        match self.tiled.element {
            element if element.is_int() => decode_int(element, self.bits(index)) as f64,
            element => decode(element, self.bits(index)),
        }
    }
}
