//! Elements in memory at even distances.

use crate::values::tile::Scalar;

/// Rows of neighbours in memory, at even distances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rows {
    /// The address of the first element.
    pub(crate) first: u64,
    /// The elements of a row.
    pub(crate) count: usize,
    /// How many rows there are.
    pub(crate) rows: usize,
    /// The bytes from one row to the next.
    pub(crate) step: u64,
}

impl Rows {
    /// Whether each row begins where the one before ends.
    pub(crate) fn touch(&self) -> bool {
        self.rows == 1 || self.step == (self.count * f32::BYTES) as u64
    }

    /// All rows as one, where they touch.
    pub(crate) fn joined(&self) -> Rows {
        Rows { first: self.first, count: self.count * self.rows, rows: 1, step: 0 }
    }

    /// The rows of several tile blocks, of which these are the first one's, those the last one's, and those between at even
    /// distances.
    pub(crate) fn across(&self, last: &Rows, blocks: u64) -> Option<Rows> {
        let step = last.first.checked_sub(self.first)? / (blocks - 1).max(1);
        let alike = (self.rows, last.rows, self.count) == (1, 1, last.count);
        let aligned = step.is_multiple_of(f32::BYTES as u64);
        (alike && aligned).then_some(Rows { first: self.first, count: self.count, rows: blocks as usize, step })
    }
}

/// Elements of a tile that an op accesses at even distances. Memory is counted in nibbles here, whatever the element, so
/// that accesses of all elements can be compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// The place of the first one in the tile.
    pub(crate) place: usize,
    /// Where it lies, in nibbles.
    pub(crate) address: u64,
    /// The nibbles from one to the next.
    pub(crate) step: u64,
    /// How many there are.
    pub(crate) count: usize,
}

/// All elements that spans name: their places and addresses.
pub(crate) fn elements(spans: &[Span]) -> impl Iterator<Item = (usize, u64)> + '_ {
    let of = |span: &Span| {
        let Span { place, address, step, count } = *span;
        (0..count).map(move |index| (place + index, address.wrapping_add((index as u64).wrapping_mul(step))))
    };
    spans.iter().flat_map(of)
}

/// All addresses that spans name.
pub(crate) fn addresses(spans: &[Span]) -> impl Iterator<Item = u64> + '_ {
    elements(spans).map(|(_, address)| address)
}
