//! Elements in memory with regular strides.

use crate::values::tile::Scalar;

/// Equidistant rows of adjacent elements in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rows {
    /// The address of the first element.
    pub(crate) first: u64,
    /// The number of elements in a row.
    pub(crate) count: usize,
    /// The number of rows.
    pub(crate) rows: usize,
    /// The bytes from one row to the next.
    pub(crate) step: u64,
}

impl Rows {
    /// Whether the rows are adjacent.
    pub(crate) fn touch(&self) -> bool {
        self.rows == 1 || self.step == (self.count * f32::BYTES) as u64
    }

    /// Merges adjacent rows into one.
    pub(crate) fn joined(&self) -> Rows {
        Rows { first: self.first, count: self.count * self.rows, rows: 1, step: 0 }
    }

    /// The rows of several tile blocks, given those of the first and the last one; those between them are equidistant.
    pub(crate) fn across(&self, last: &Rows, blocks: u64) -> Option<Rows> {
        let step = last.first.checked_sub(self.first)? / (blocks - 1).max(1);
        let alike = (self.rows, last.rows, self.count) == (1, 1, last.count);
        let aligned = step.is_multiple_of(f32::BYTES as u64);
        (alike && aligned).then_some(Rows { first: self.first, count: self.count, rows: blocks as usize, step })
    }
}

/// Elements of a tile that an op accesses with a regular stride. Addresses are in nibbles here, whatever the element
/// type, so that accesses of all types can be compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// The index of the first one in the tile.
    pub(crate) place: usize,
    /// Its address in nibbles.
    pub(crate) address: u64,
    /// The stride in nibbles.
    pub(crate) step: u64,
    /// The number of elements.
    pub(crate) count: usize,
}

/// All elements of the spans: their indices and addresses.
pub(crate) fn elements(spans: &[Span]) -> impl Iterator<Item = (usize, u64)> + '_ {
    let of = |span: &Span| {
        let Span { place, address, step, count } = *span;
        (0..count).map(move |index| (place + index, address.wrapping_add((index as u64).wrapping_mul(step))))
    };
    spans.iter().flat_map(of)
}

/// All addresses of the spans.
pub(crate) fn addresses(spans: &[Span]) -> impl Iterator<Item = u64> + '_ {
    elements(spans).map(|(_, address)| address)
}
