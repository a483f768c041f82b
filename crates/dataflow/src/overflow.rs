//! Integers that can overflow in a launch. Expressions do not wrap around, so they are wrong where the program does.

use crate::symbolic::{Interval, Poly, Symbol};
use std::sync::Arc;
use tile_analysis::ir::{Body, OpId, Value};
use tile_analysis::range_analysis::Launched;

/// The integers of an entry that could overflow. Its accesses and loops share them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Integers(Arc<Shared>);

#[derive(PartialEq, Debug, Default)]
struct Shared {
    all: Vec<Integer>,
    /// The bounds and the steps of the loops of the entry, outer ones before inner ones.
    loops: Vec<(OpId, [Poly; 3])>,
}

/// A result of an op.
#[derive(PartialEq, Debug)]
pub(crate) struct Integer {
    pub(crate) value: Value,
    /// What it would be if nothing overflowed.
    pub(crate) poly: Poly,
    /// Its width.
    pub(crate) bits: u32,
}

impl Integers {
    pub(crate) fn new(all: Vec<Integer>, loops: Vec<(OpId, [Poly; 3])>) -> Integers {
        Integers(Arc::new(Shared { all, loops }))
    }

    /// The values that can overflow in a launch, in order.
    pub(crate) fn overflowing(&self, body: &Body, launched: &Launched) -> Vec<Value> {
        let ranges = self.ranges(body, launched);
        let overflows = |integer: &&Integer| {
            let limit = 1_i128 << (integer.bits - 1);
            let found = integer.poly.interval(&|symbol| range(symbol, body, launched, &ranges));
            found.is_some_and(|(low, high)| low < -limit || high >= limit)
        };
        self.0.all.iter().filter(overflows).map(|integer| integer.value).collect()
    }

    /// The ranges of the induction variables and of the numbers of iterations.
    fn ranges(&self, body: &Body, launched: &Launched) -> Vec<(Symbol, Interval)> {
        let mut ranges: Vec<(Symbol, Interval)> = Vec::new();
        for (op, bounds) in &self.0.loops {
            let of = |poly: &Poly| poly.interval(&|symbol| range(symbol, body, launched, &ranges));
            if let [Some(lower), Some(upper), Some(step)] = bounds.each_ref().map(of) {
                let last = (upper.1 - 1).max(lower.0);
                ranges.push((Symbol::Induction(*op), (lower.0, last.max(lower.1))));
                ranges.push((Symbol::Iteration(*op), (0, (last - lower.0).max(0) / step.0.max(1))));
            }
        }
        ranges
    }
}

/// The range of a variable.
fn range(symbol: Symbol, body: &Body, launched: &Launched, loops: &[(Symbol, Interval)]) -> Option<Interval> {
    let grid = |dim: u8| launched.grid?.get(usize::from(dim)).map(|&extent| i128::from(extent));
    match symbol {
        Symbol::Block(dim) => grid(dim).map(|extent| (0, (extent - 1).max(0))),
        Symbol::Grid(dim) => grid(dim).map(|extent| (extent, extent)),
        Symbol::Lane(_, extent) => Some((0, i128::from(extent) - 1)),
        Symbol::Param(value) => {
            let index = body.param(value)?;
            let value = i128::from(launched.params.get(index).copied().flatten()?);
            Some((value, value))
        }
        Symbol::Induction(_) | Symbol::Iteration(_) => {
            loops.iter().find(|(other, _)| *other == symbol).map(|(_, range)| *range)
        }
        Symbol::Unknown(_) | Symbol::Carried(_) => None,
    }
}
