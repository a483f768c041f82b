//! Whether integers can overflow in a launch. Expressions do not wrap around, so they are wrong if the program does.

use crate::access::{Access, Integer, Loop};
use crate::symbolic::{Interval, Poly, Symbol};
use tile_analysis::ir::{Body, RegionId};
use tile_analysis::range_analysis::Launched;

impl Access {
    /// An integer from which the access is computed and that can overflow in a launch.
    pub fn overflow(&self, body: &Body, launched: &Launched) -> Option<&Integer> {
        overflow(&self.integers, &self.loops, body, launched)
    }
}

/// An integer that can overflow in a launch, in these loops.
pub(super) fn overflow<'i>(
    integers: &'i [Integer],
    loops: &[Loop],
    body: &Body,
    launched: &Launched,
) -> Option<&'i Integer> {
    let mut ranges: Vec<(Symbol, Interval)> = Vec::new();
    for around in loops {
        let known = around.bounds.as_ref().and_then(|[lower, upper, step]| {
            let of = |poly: &Poly| poly.interval(&|symbol| range(symbol, body, launched, &ranges));
            Some([of(lower)?, of(upper)?, of(step)?])
        });
        if let Some([lower, upper, step]) = known {
            let last = (upper.1 - 1).max(lower.0);
            let iterations = (last - lower.0).max(0) / step.0.max(1);
            ranges.push((Symbol::Induction(around.op), (lower.0, last.max(lower.1))));
            ranges.push((Symbol::Iteration(around.op), (0, iterations)));
        }
    }
    let fits = |integer: &&Integer| {
        let limit = 1_i128 << (integer.bits - 1);
        let found = integer.poly.interval(&|symbol| range(symbol, body, launched, &ranges));
        found.is_none_or(|(low, high)| low >= -limit && high < limit)
    };
    integers.iter().find(|integer| !fits(integer))
}

/// The range of a variable.
fn range(symbol: Symbol, body: &Body, launched: &Launched, loops: &[(Symbol, Interval)]) -> Option<Interval> {
    let grid = |dim: u8| launched.grid?.get(usize::from(dim)).map(|&extent| i128::from(extent));
    match symbol {
        Symbol::Block(dim) => grid(dim).map(|extent| (0, (extent - 1).max(0))),
        Symbol::Grid(dim) => grid(dim).map(|extent| (extent, extent)),
        Symbol::Lane(_, extent) => Some((0, i128::from(extent) - 1)),
        Symbol::Param(value) => {
            let index = body.region(RegionId(0)).args.iter().position(|&param| param == value)?;
            let value = i128::from(launched.params.get(index).copied().flatten()?);
            Some((value, value))
        }
        Symbol::Induction(_) | Symbol::Iteration(_) => {
            loops.iter().find(|(other, _)| *other == symbol).map(|(_, range)| *range)
        }
        Symbol::Unknown(_) | Symbol::Carried(_) => None,
    }
}
