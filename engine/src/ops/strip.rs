//! What ops do to a strip of a tile: see `chain`.

use super::even;
use super::float::is_plain;
use super::window::Reach;
use crate::lanes::arch;
use crate::site::Site;
use crate::tile::Word;
use crate::value::Value;
use pulp::{Simd, WithSimd};
use tile_dialect::{Element, Mnemonic as M, ordering, rounding};

/// The part that an op has in a chain.
pub(crate) enum Part {
    Load(Find),
    Compute(Lanes),
    /// The place of the tile among the operands comes with it.
    Store(Find, usize),
}

/// Finds where an op with these operands loads or stores, if that is in rows.
pub(crate) type Find = Box<dyn Fn(&[Value]) -> Option<Rows> + Send + Sync>;

/// Computes elements from those of three operands at most.
pub(crate) type Lanes = Box<dyn Fn(&mut [f32], [&[f32]; 3]) + Send + Sync>;

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

/// Smaller tiles are not worth it.
const FEWEST: usize = 64;

/// The part that an op may have in a chain.
pub(crate) fn part(site: &Site<'_>) -> Option<Part> {
    Some(match site.op.op {
        M::LoadPtrTko => Part::Load(through_pointers(site)?),
        M::LoadViewTko => Part::Load(through_view(site)?),
        M::StorePtrTko => Part::Store(through_pointers(site)?, site.place("value")),
        M::StoreViewTko => Part::Store(through_view(site)?, site.place("tile")),
        _ => Part::Compute(lanes(site)?),
    })
}

fn is_weak(site: &Site<'_>) -> bool {
    site.choice("memory_ordering_semantics") == ordering::WEAK
}

fn through_view(site: &Site<'_>) -> Option<Find> {
    let reach = Reach::of(site).ok()?;
    let large = reach.extents.iter().product::<usize>() >= FEWEST;
    let fits = large && reach.element == Element::F32 && is_weak(site);
    fits.then(|| -> Find { Box::new(move |inputs| reach.window(inputs).ok()?.in_rows(&reach.extents, f32::BYTES)) })
}

fn through_pointers(site: &Site<'_>) -> Option<Find> {
    let (pointers, mask) = (site.op.op.row().operands[0].name, site.optional("mask"));
    let pointers = site.operand(pointers);
    let fits = pointers.count >= FEWEST && pointers.pointee == Some(Element::F32) && is_weak(site);
    let find =
        move |inputs: &[Value]| even::pointers(&inputs[0], mask.map(|place| &inputs[place]))?.in_rows(f32::BYTES);
    fits.then(|| -> Find { Box::new(find) })
}

/// What an op computes that rounds as the processor does.
fn lanes(site: &Site<'_>) -> Option<Lanes> {
    let found = match site.op.op {
        M::Addf => each(|x, y, _| x + y),
        M::Divf => each(|x, y, _| x / y),
        M::Fma => each(|x, y, z| x.mul_add(y, z)),
        M::Mulf => each(|x, y, _| x * y),
        M::Subf => each(|x, y, _| x - y),
        _ => return None,
    };
    let fits = site.result(0).element == Element::F32 && is_plain(site);
    (fits && site.choice("rounding_mode") != rounding::APPROX).then_some(found)
}

fn each(f: impl Fn(f32, f32, f32) -> f32 + Copy + Send + Sync + 'static) -> Lanes {
    Box::new(move |out, operands| arch().dispatch(Each { out, operands, f }))
}

struct Each<'a, F> {
    out: &'a mut [f32],
    operands: [&'a [f32]; 3],
    f: F,
}

impl<F: Fn(f32, f32, f32) -> f32> WithSimd for Each<'_, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let [a, b, c] = self.operands;
        for (((out, &a), &b), &c) in self.out.iter_mut().zip(a).zip(b).zip(c) {
            *out = (self.f)(a, b, c);
        }
    }
}
