//! The alignment of the runs of adjacent elements that an access touches.

use crate::access::{Access, Base, memory_bits};
use crate::divisibility::stated_zeros;
use crate::symbolic::{Atom, Poly, Symbol};
use tile_analysis::ir::{Body, Value};
use tile_analysis::range_analysis::Launched;
use tile_dialect::AttrName;

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
        let start = self.run_start(body)?;
        let offset = self.offset_bits.as_ref()?;
        let element = memory_bits(self.element);
        let of = |launched: Option<&Launched>| {
            let facts = Facts { access: self, body, launched };
            let elements = element.trailing_zeros() + facts.zeros(&start);
            let bits = elements.min(facts.zeros(offset)).min(facts.base().trailing_zeros() + 3);
            (1u32 << bits.clamp(3, 30) >> 3).max(element.div_ceil(8))
        };
        Some(Alignment { stated: of(None), launched: launched.map(|launched| of(Some(launched))) })
    }

    /// Where each run of adjacent elements starts, in elements from the start of the tensor.
    fn run_start(&self, body: &Body) -> Option<Poly> {
        let contiguity = self.contiguity(body)?;
        let mut start = self.offset()?;
        for (dim, (stride, &extent)) in contiguity.strides.iter().zip(&self.tile).enumerate() {
            let Some(stride) = stride.as_ref().and_then(Poly::as_number) else { continue };
            if stride.unsigned_abs() < contiguity.run as u64 {
                // In a tile that runs backwards, the last element is the first in memory.
                let first = if stride < 0 { stride * (extent - 1) } else { 0 };
                start = start.split_linear(Symbol::Lane(dim as u8, extent))?.1.add(&first.into())?;
            }
        }
        Some(start)
    }
}

/// What is known about the variables of an access: from the program, and from a launch if there is one.
struct Facts<'a> {
    access: &'a Access,
    body: &'a Body,
    launched: Option<&'a Launched>,
}

impl Facts<'_> {
    /// The alignment of the memory, in bytes; at most that of a buffer.
    fn base(&self) -> u32 {
        let stated = |value: Value| 1 << stated_zeros(self.body, value, self.access.op).min(BUFFER.trailing_zeros());
        let element = memory_bits(self.access.element).div_ceil(8);
        match &self.access.base {
            Some(Base::Param(value)) if self.starts_buffer(*value) => BUFFER,
            Some(Base::Param(value)) => stated(*value).max(element),
            Some(Base::Scratch(alloca)) => {
                let op = self.body.op(*alloca);
                let index = op.op.row().attr(AttrName::Alignment).map(|(index, _)| index);
                let bytes = index.and_then(|index| self.body.attr(op, index).as_int());
                let bytes = bytes.and_then(|bytes| u32::try_from(bytes).ok()).filter(|bytes| bytes.is_power_of_two());
                bytes.map_or(element, |bytes| bytes.min(BUFFER))
            }
            // The program does not say how it aligns globals here, and a computed pointer points to an element.
            Some(Base::Computed(value)) => stated(*value).max(element),
            Some(Base::Global(_)) | None => element,
        }
    }

    /// Whether the launch passes the start of a buffer for a parameter, rather than an address in it.
    fn starts_buffer(&self, param: Value) -> bool {
        self.launched.zip(self.body.param(param)).is_some_and(|(launched, index)| !launched.addresses.contains(&index))
    }

    /// The number of low bits of an expression that are 0.
    fn zeros(&self, poly: &Poly) -> u32 {
        let atom = |atom: &Atom| match atom {
            Atom::Symbol(symbol) => self.of_symbol(*symbol),
            Atom::Apply(_) => 0,
        };
        let term =
            |factors: &[Atom], coefficient: i64| factors.iter().map(atom).sum::<u32>() + coefficient.trailing_zeros();
        poly.terms().map(|(factors, coefficient)| term(factors, coefficient)).min().unwrap_or(ZERO)
    }

    fn of_symbol(&self, symbol: Symbol) -> u32 {
        let in_launch = self.launched.map_or(0, |launched| in_launch(symbol, self.body, launched));
        let stated = match symbol {
            Symbol::Param(value) | Symbol::Unknown(value) => stated_zeros(self.body, value, self.access.op),
            Symbol::Induction(op) => {
                let around = self.access.loops.iter().find(|around| around.op == op);
                let bounds = around.and_then(|around| around.bounds.as_ref());
                bounds.map_or(0, |[lower, _, step]| self.zeros(lower).min(self.zeros(step)))
            }
            _ => 0,
        };
        in_launch.max(stated)
    }
}

/// The number of low bits of a variable that are 0 in every tile block of a launch.
fn in_launch(symbol: Symbol, body: &Body, launched: &Launched) -> u32 {
    let of = |number: i64| if number == 0 { ZERO } else { number.trailing_zeros() };
    let in_grid = |dim: u8| launched.grid.and_then(|grid| grid.get(usize::from(dim)).copied());
    match symbol {
        Symbol::Grid(dim) => in_grid(dim).map_or(0, of),
        Symbol::Block(dim) if in_grid(dim) == Some(1) => ZERO,
        Symbol::Param(value) => {
            body.param(value).and_then(|index| launched.params.get(index).copied().flatten()).map_or(0, of)
        }
        _ => 0,
    }
}
