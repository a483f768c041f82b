//! The alignment of the runs of adjacent elements that an access touches.

use crate::access::{Access, Base};
use crate::divisibility::stated_zeros;
use crate::symbolic::{Atom, Poly, Symbol};
use tile_analysis::ir::{Body, RegionId};
use tile_analysis::range_analysis::Launched;

/// The alignment of buffers in bytes, at least: that of `cuMemAlloc` and of the CPU engine.
const BUFFER: u32 = 256;

/// The zero bits of the number 0.
const ZERO: u32 = i64::BITS;

/// A number that every start of a run is a multiple of, in bytes: a power of two, at most 256.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alignment {
    /// As the program states with constants and `assume`.
    pub stated: u32,
    /// In a launch, whose parameters are known and whose buffers begin at multiples of 256 bytes.
    pub launched: Option<u32>,
}

impl Access {
    /// The alignment of each run of adjacent elements; `None` if the elements are not an expression.
    pub fn alignment(&self, body: &Body, launched: Option<&Launched>) -> Option<Alignment> {
        let start = self.run_start()?;
        let offset = self.offset_bits.as_ref()?;
        let element = self.element.bits();
        let element_bytes = element.div_ceil(8);
        let of = |facts: &dyn Fn(Symbol) -> u32, base: u32| {
            let elements = element.trailing_zeros() + zeros(&start, facts);
            let bits = elements.min(zeros(offset, facts)).min(base.trailing_zeros() + 3);
            (1u32 << bits.clamp(3, 30) >> 3).max(element_bytes)
        };
        let param = self.base.as_ref().and_then(Base::param);
        let stated = |symbol: Symbol| match symbol {
            Symbol::Param(value) => stated_zeros(body, value, self.op),
            _ => 0,
        };
        let base = param.map_or(element_bytes, |value| 1 << stated_zeros(body, value, self.op).min(8));
        let in_launch = |launched: &Launched| {
            let known = |symbol: Symbol| in_launch(symbol, body, launched).max(stated(symbol));
            of(&known, if param.is_some() { BUFFER } else { element_bytes })
        };
        Some(Alignment { stated: of(&stated, base), launched: launched.map(in_launch) })
    }

    /// Where each run of adjacent elements starts, in elements from the start of the tensor.
    fn run_start(&self) -> Option<Poly> {
        let contiguity = self.contiguity()?;
        let mut start = self.offset()?;
        for (dim, (stride, &extent)) in contiguity.strides.iter().zip(&self.tile).enumerate() {
            if stride.as_number().is_some_and(|stride| (0..contiguity.run).contains(&stride)) {
                start = start.split_linear(Symbol::Lane(dim as u8, extent))?.1;
            }
        }
        Some(start)
    }
}

/// The number of low bits of an expression that are 0, if those of its variables are known.
fn zeros(poly: &Poly, of: &dyn Fn(Symbol) -> u32) -> u32 {
    let atom = |atom: &Atom| match atom {
        Atom::Symbol(symbol) => of(*symbol),
        Atom::Apply(_) => 0,
    };
    let term =
        |factors: &[Atom], coefficient: i64| factors.iter().map(atom).sum::<u32>() + coefficient.trailing_zeros();
    poly.terms().map(|(factors, coefficient)| term(factors, coefficient)).min().unwrap_or(ZERO)
}

/// The number of low bits of a variable that are 0 in every tile block of a launch.
fn in_launch(symbol: Symbol, body: &Body, launched: &Launched) -> u32 {
    let of = |number: i64| if number == 0 { ZERO } else { number.trailing_zeros() };
    let in_grid = |dim: u8| launched.grid.and_then(|grid| grid.get(usize::from(dim)).copied());
    match symbol {
        Symbol::Grid(dim) => in_grid(dim).map_or(0, of),
        Symbol::Block(dim) if in_grid(dim) == Some(1) => ZERO,
        Symbol::Param(value) => {
            let index = body.region(RegionId(0)).args.iter().position(|&param| param == value);
            index.and_then(|index| launched.params.get(index).copied().flatten()).map_or(0, of)
        }
        _ => 0,
    }
}
