//! Affine tiles, and arithmetic on them.

use crate::memory::rows::Rows;
use crate::ops::integer::Int;
use crate::ops::shape::row_major;
use crate::values::pool::{Affine, Elements, PoolElement};
use crate::values::tile::{Scalar, ScalarKind, Tile, with_kind};

/// An arithmetic progression: the number of elements and their difference `step`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stride {
    pub(crate) step: u64,
    /// 1 if all elements are equal, whatever their number.
    pub(crate) count: u64,
}

impl Stride {
    const ONE: Stride = Stride { step: 0, count: 1 };

    fn plus(self, other: Stride, factor: u64) -> Stride {
        Stride { step: sum(self.step, other.step, factor), count: self.count.max(other.count) }
    }
}

fn sum(own: u64, other: u64, factor: u64) -> u64 {
    own.wrapping_add(other.wrapping_mul(factor))
}

/// The elements of a tile in row-major order, in one tile block and in the following ones: a first number, and the
/// strides. Numbers have 64 bits, of which the low ones count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AffineTile {
    pub(crate) first: u64,
    /// Within a row. Rows need not be those of the tile's shape.
    pub(crate) places: Stride,
    /// Between rows.
    pub(crate) rows: Stride,
    /// Between tile blocks.
    pub(crate) blocks: Stride,
}

impl AffineTile {
    pub(crate) fn number(first: u64) -> AffineTile {
        AffineTile { first, places: Stride::ONE, rows: Stride::ONE, blocks: Stride::ONE }
    }

    /// 0, 1, 2, …
    pub(crate) fn counting(count: usize) -> AffineTile {
        AffineTile { places: Stride { step: 1, count: count as u64 }, ..AffineTile::number(0) }
    }

    /// The affine form of a tile, if it has one.
    pub(crate) fn of(tile: &Tile) -> Option<AffineTile> {
        with_kind!(tile.kind(), T => match T::held(tile) {
            Elements::One(all) => Some(AffineTile::number(all.bits())),
            Elements::Affine(Affine { first, step, count, row_step, rows }) => Some(AffineTile {
                places: Stride { step: step.bits(), count: (*count).into() },
                rows: Stride { step: row_step.bits(), count: (*rows).into() },
                ..AffineTile::number(first.bits())
            }),
            _ => None,
        })
    }

    /// This tile in several tile blocks, with `stride` between them.
    pub(crate) fn across(self, stride: u64, blocks: u64) -> AffineTile {
        if stride == 0 { self } else { AffineTile { blocks: Stride { step: stride, count: blocks }, ..self } }
    }

    /// The difference between an element and that of the previous tile block.
    pub(crate) fn stride(self) -> u64 {
        self.blocks.step
    }

    /// The tile in a later tile block.
    pub(crate) fn later(self, blocks: u64) -> AffineTile {
        AffineTile { first: sum(self.first, self.blocks.step, blocks), blocks: Stride::ONE, ..self }
    }

    /// The tile in the first tile block.
    pub(crate) fn tile(self, kind: ScalarKind) -> Option<Tile> {
        if self.places.count == 1 {
            return Some(Tile::splat(kind, self.first));
        }
        match kind {
            ScalarKind::U8 => self.elements().map(Tile::U8),
            ScalarKind::U16 => self.elements().map(Tile::U16),
            ScalarKind::U32 => self.elements().map(Tile::U32),
            ScalarKind::U64 => self.elements().map(Tile::U64),
            ScalarKind::Bool | ScalarKind::F32 | ScalarKind::F64 => None,
        }
    }

    fn elements<T: Scalar>(self) -> Option<Elements<T>> {
        let AffineTile { first, mut places, mut rows, .. } = self;
        // Adjacent rows that form one progression are merged.
        if T::of_bits(rows.step) == T::of_bits(places.step.wrapping_mul(places.count)) {
            (places.count, rows) = (places.count * rows.count, Stride::ONE);
        }
        let [first, step, row_step] = [first, places.step, rows.step].map(T::of_bits);
        if rows.count == 1 && step == T::default() {
            return Some(Elements::One(first));
        }
        let (count, rows) = (u32::try_from(places.count).ok()?, u32::try_from(rows.count).ok()?);
        Some(Elements::Affine(Affine { first, step, count, row_step, rows }))
    }

    /// The same tile with rows of this length, if possible; a single number has rows of any length.
    fn cut(self, count: u64) -> Option<AffineTile> {
        let AffineTile { places, rows, .. } = self;
        if [1, count].contains(&places.count) {
            return Some(self);
        }
        let rest = Stride { step: places.step.wrapping_mul(count), count: places.count / count };
        let fits = rows.count == 1 && places.count.is_multiple_of(count);
        fits.then_some(AffineTile { places: Stride { count, ..places }, rows: rest, ..self })
    }

    /// The sum of this and `factor` times another.
    pub(crate) fn plus(self, other: AffineTile, factor: u64) -> Option<AffineTile> {
        let count = match (self.places.count, other.places.count) {
            (1, count) | (count, 1) => count,
            (own, other) => own.min(other),
        };
        let (own, other) = (self.cut(count)?, other.cut(count)?);
        Some(AffineTile {
            first: sum(own.first, other.first, factor),
            places: own.places.plus(other.places, factor),
            rows: own.rows.plus(other.rows, factor),
            blocks: own.blocks.plus(other.blocks, factor),
        })
    }

    fn is_number(self) -> bool {
        self.axes().iter().all(|axis| axis.step == 0)
    }

    fn axes(self) -> [Stride; 3] {
        [self.places, self.rows, self.blocks]
    }

    /// The product with a number.
    pub(crate) fn times(self, other: AffineTile) -> Option<AffineTile> {
        let (line, factor) = if other.is_number() { (self, other) } else { (other, self) };
        let first = line.first.wrapping_mul(factor.first);
        factor.is_number().then(|| AffineTile { first, ..line.with_steps(|step| step.wrapping_mul(factor.first)) })
    }

    /// The same with other strides.
    pub(crate) fn with_steps(self, change: impl Fn(u64) -> u64) -> AffineTile {
        let [places, rows, blocks] = self.axes().map(|axis| Stride { step: change(axis.step), ..axis });
        AffineTile { places, rows, blocks, ..self }
    }

    /// The strides along the dimensions of the tile, if they are constant.
    fn steps(self, extents: &[usize]) -> Option<Vec<u64>> {
        let step = |(place, &extent): (usize, &usize)| {
            let (place, extent) = (place as u64, extent as u64);
            let Stride { step, count } = self.places;
            match place.checked_div(count).unwrap_or(0) {
                _ if extent == 1 => Some(0),
                0 if (place * extent) <= count => Some(step.wrapping_mul(place)),
                0 => None,
                row => Some(self.rows.step.wrapping_mul(row)),
            }
        };
        row_major(extents).into_iter().zip(extents).map(step).collect()
    }

    /// The same elements with permuted dimensions, given from the last one: for each the extent and, unless elements
    /// are repeated along it, the dimension of this tile.
    pub(crate) fn arranged(
        self,
        extents: &[usize],
        dims: impl Iterator<Item = (usize, Option<usize>)>,
    ) -> Option<AffineTile> {
        if self.places.count == 1 {
            return Some(self);
        }
        let steps = self.steps(extents)?;
        let (mut places, mut rows) = (Stride::ONE, Stride::ONE);
        for (extent, dim) in dims.filter(|(extent, _)| *extent > 1) {
            let axis = Stride { step: dim.map_or(0, |dim| steps[dim]), count: extent as u64 };
            let goes_on = |from: Stride| from.count > 1 && axis.step == from.step.wrapping_mul(from.count);
            match (places.count, rows.count) {
                (1, _) => places = axis,
                (_, 1) if goes_on(places) => places.count *= axis.count,
                (_, 1) => rows = axis,
                _ if goes_on(rows) => rows.count *= axis.count,
                _ => return None,
            }
        }
        Some(AffineTile { places, rows, ..self })
    }

    /// The least and the greatest element, if nothing overflows.
    pub(crate) fn ends<T: Int>(self, signed: bool) -> Option<(i128, i128)> {
        let read = |number: u64| i128::from(T::low(number).signed());
        let first = if signed { read(self.first) } else { i128::from(T::low(self.first).unsigned()) };
        let ways = self.axes().map(|axis| read(axis.step) * (i128::from(axis.count) - 1));
        let least = first + ways.iter().map(|&way| way.min(0)).sum::<i128>();
        let greatest = first + ways.iter().map(|&way| way.max(0)).sum::<i128>();
        let low = if signed { -1 << (T::WIDTH - 1) } else { 0 };
        (low <= least && greatest < low + (1 << T::WIDTH)).then_some((least, greatest))
    }

    /// Whether nothing overflows as unsigned: the numbers of each block then differ from those of the previous one by
    /// exactly the block stride.
    pub(crate) fn is_straight(self, kind: ScalarKind) -> bool {
        let ends = match kind {
            ScalarKind::Bool => self.ends::<bool>(false),
            ScalarKind::U8 => self.ends::<u8>(false),
            ScalarKind::U16 => self.ends::<u16>(false),
            ScalarKind::U32 => self.ends::<u32>(false),
            ScalarKind::U64 => self.ends::<u64>(false),
            ScalarKind::F32 | ScalarKind::F64 => None,
        };
        ends.is_some()
    }

    /// The rows of adjacent elements that it points to, for elements of this size in bytes.
    pub(crate) fn in_rows(self, size: usize) -> Option<Rows> {
        let AffineTile { first, places, rows, .. } = self;
        let ahead = rows.count == 1 || (rows.step as i64 > 0 && rows.step.is_multiple_of(size as u64));
        let count = (places.count as usize, rows.count as usize);
        (ahead && places.step == size as u64).then_some(Rows { first, count: count.0, rows: count.1, step: rows.step })
    }
}
