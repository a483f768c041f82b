//! Tiles that are told by a few numbers: see `even`.

use crate::memory::rows::Rows;
use crate::ops::integer::Int;
use crate::ops::shape::row_major;
use crate::values::pool::{Elements, Even, Pooled};
use crate::values::tile::{Kind, Tile, Word, with_kind};

/// How numbers go on in one direction: so many, each `step` more than the one before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    pub(crate) step: u64,
    /// 1 where all are equal, whatever their number.
    pub(crate) count: u64,
}

impl Axis {
    const ONE: Axis = Axis { step: 0, count: 1 };

    fn plus(self, other: Axis, factor: u64) -> Axis {
        Axis { step: sum(self.step, other.step, factor), count: self.count.max(other.count) }
    }
}

fn sum(own: u64, other: u64, factor: u64) -> u64 {
    own.wrapping_add(other.wrapping_mul(factor))
}

/// What a tile holds, in row-major order, in one tile block and in those that follow: a number, and how it goes on. Numbers
/// are of 64 bits, of which the low ones count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) first: u64,
    /// From element to element in a row. Rows need not be those of the tile's shape.
    pub(crate) places: Axis,
    /// From row to row.
    pub(crate) rows: Axis,
    /// From tile block to tile block.
    pub(crate) blocks: Axis,
}

impl Line {
    pub(crate) fn number(first: u64) -> Line {
        Line { first, places: Axis::ONE, rows: Axis::ONE, blocks: Axis::ONE }
    }

    /// 0, 1, 2, …
    pub(crate) fn counting(count: usize) -> Line {
        Line { places: Axis { step: 1, count: count as u64 }, ..Line::number(0) }
    }

    /// How a tile is held, if not one by one.
    pub(crate) fn of(tile: &Tile) -> Option<Line> {
        with_kind!(tile.kind(), T => match T::held(tile) {
            Elements::One(all) => Some(Line::number(all.bits())),
            Elements::Even(Even { first, step, count, row_step, rows }) => Some(Line {
                places: Axis { step: step.bits(), count: (*count).into() },
                rows: Axis { step: row_step.bits(), count: (*rows).into() },
                ..Line::number(first.bits())
            }),
            _ => None,
        })
    }

    /// This tile in so many tile blocks, each `stride` further than the one before.
    pub(crate) fn across(self, stride: u64, blocks: u64) -> Line {
        if stride == 0 { self } else { Line { blocks: Axis { step: stride, count: blocks }, ..self } }
    }

    /// How far each element is from that of the tile block before.
    pub(crate) fn stride(self) -> u64 {
        self.blocks.step
    }

    /// The same in a later tile block.
    pub(crate) fn later(self, blocks: u64) -> Line {
        Line { first: sum(self.first, self.blocks.step, blocks), blocks: Axis::ONE, ..self }
    }

    /// The tile in the first tile block.
    pub(crate) fn tile(self, kind: Kind) -> Option<Tile> {
        if self.places.count == 1 {
            return Some(Tile::splat(kind, self.first));
        }
        match kind {
            Kind::Byte => self.elements().map(Tile::Byte),
            Kind::Half => self.elements().map(Tile::Half),
            Kind::Word => self.elements().map(Tile::Word),
            Kind::Long => self.elements().map(Tile::Long),
            Kind::Bool | Kind::Single | Kind::Double => None,
        }
    }

    fn elements<T: Word>(self) -> Option<Elements<T>> {
        let Line { first, mut places, mut rows, .. } = self;
        // A row that goes on where the one before ends is one with it.
        if T::of_bits(rows.step) == T::of_bits(places.step.wrapping_mul(places.count)) {
            (places.count, rows) = (places.count * rows.count, Axis::ONE);
        }
        let [first, step, row_step] = [first, places.step, rows.step].map(T::of_bits);
        if rows.count == 1 && step == T::default() {
            return Some(Elements::One(first));
        }
        let (count, rows) = (u32::try_from(places.count).ok()?, u32::try_from(rows.count).ok()?);
        Some(Elements::Even(Even { first, step, count, row_step, rows }))
    }

    /// The same with rows of so many elements, which a single number has whatever they are.
    fn cut(self, count: u64) -> Option<Line> {
        let Line { places, rows, .. } = self;
        if [1, count].contains(&places.count) {
            return Some(self);
        }
        let rest = Axis { step: places.step.wrapping_mul(count), count: places.count / count };
        let fits = rows.count == 1 && places.count.is_multiple_of(count);
        fits.then_some(Line { places: Axis { count, ..places }, rows: rest, ..self })
    }

    /// This and `factor` times another.
    pub(crate) fn plus(self, other: Line, factor: u64) -> Option<Line> {
        let count = match (self.places.count, other.places.count) {
            (1, count) | (count, 1) => count,
            (own, other) => own.min(other),
        };
        let (own, other) = (self.cut(count)?, other.cut(count)?);
        Some(Line {
            first: sum(own.first, other.first, factor),
            places: own.places.plus(other.places, factor),
            rows: own.rows.plus(other.rows, factor),
            blocks: own.blocks.plus(other.blocks, factor),
        })
    }

    fn is_number(self) -> bool {
        self.axes().iter().all(|axis| axis.step == 0)
    }

    fn axes(self) -> [Axis; 3] {
        [self.places, self.rows, self.blocks]
    }

    /// The product with a number.
    pub(crate) fn times(self, other: Line) -> Option<Line> {
        let (line, factor) = if other.is_number() { (self, other) } else { (other, self) };
        let first = line.first.wrapping_mul(factor.first);
        factor.is_number().then(|| Line { first, ..line.with_steps(|step| step.wrapping_mul(factor.first)) })
    }

    /// The same with other distances.
    pub(crate) fn with_steps(self, change: impl Fn(u64) -> u64) -> Line {
        let [places, rows, blocks] = self.axes().map(|axis| Axis { step: change(axis.step), ..axis });
        Line { places, rows, blocks, ..self }
    }

    /// The distances along the dimensions of the tile, if each has one.
    fn steps(self, extents: &[usize]) -> Option<Vec<u64>> {
        let step = |(place, &extent): (usize, &usize)| {
            let (place, extent) = (place as u64, extent as u64);
            let Axis { step, count } = self.places;
            match place.checked_div(count).unwrap_or(0) {
                _ if extent == 1 => Some(0),
                0 if (place * extent) <= count => Some(step.wrapping_mul(place)),
                0 => None,
                row => Some(self.rows.step.wrapping_mul(row)),
            }
        };
        row_major(extents).into_iter().zip(extents).map(step).collect()
    }

    /// The same elements in the order of other dimensions, the last one first: for each its extent and, unless elements are
    /// repeated along it, which dimension of the tile it is.
    pub(crate) fn arranged(
        self,
        extents: &[usize],
        dims: impl Iterator<Item = (usize, Option<usize>)>,
    ) -> Option<Line> {
        if self.places.count == 1 {
            return Some(self);
        }
        let steps = self.steps(extents)?;
        let (mut places, mut rows) = (Axis::ONE, Axis::ONE);
        for (extent, dim) in dims.filter(|(extent, _)| *extent > 1) {
            let axis = Axis { step: dim.map_or(0, |dim| steps[dim]), count: extent as u64 };
            let goes_on = |from: Axis| from.count > 1 && axis.step == from.step.wrapping_mul(from.count);
            match (places.count, rows.count) {
                (1, _) => places = axis,
                (_, 1) if goes_on(places) => places.count *= axis.count,
                (_, 1) => rows = axis,
                _ if goes_on(rows) => rows.count *= axis.count,
                _ => return None,
            }
        }
        Some(Line { places, rows, ..self })
    }

    /// The least and the greatest number, if those between them lie between them: nothing wraps around.
    pub(crate) fn ends<T: Int>(self, signed: bool) -> Option<(i128, i128)> {
        let read = |number: u64| i128::from(T::low(number).signed());
        let first = if signed { read(self.first) } else { i128::from(T::low(self.first).unsigned()) };
        let ways = self.axes().map(|axis| read(axis.step) * (i128::from(axis.count) - 1));
        let least = first + ways.iter().map(|&way| way.min(0)).sum::<i128>();
        let greatest = first + ways.iter().map(|&way| way.max(0)).sum::<i128>();
        let low = if signed { -1 << (T::WIDTH - 1) } else { 0 };
        (low <= least && greatest < low + (1 << T::WIDTH)).then_some((least, greatest))
    }

    /// Whether nothing wraps around, where it is read as unsigned: each block's numbers are then as far from those of the one
    /// before as they say.
    pub(crate) fn is_straight(self, kind: Kind) -> bool {
        let ends = match kind {
            Kind::Bool => self.ends::<bool>(false),
            Kind::Byte => self.ends::<u8>(false),
            Kind::Half => self.ends::<u16>(false),
            Kind::Word => self.ends::<u32>(false),
            Kind::Long => self.ends::<u64>(false),
            Kind::Single | Kind::Double => None,
        };
        ends.is_some()
    }

    /// The rows of neighbours that it points to: elements of so many bytes.
    pub(crate) fn in_rows(self, size: usize) -> Option<Rows> {
        let Line { first, places, rows, .. } = self;
        let ahead = rows.count == 1 || (rows.step as i64 > 0 && rows.step.is_multiple_of(size as u64));
        let count = (places.count as usize, rows.count as usize);
        (ahead && places.step == size as u64).then_some(Rows { first, count: count.0, rows: count.1, step: rows.step })
    }
}
