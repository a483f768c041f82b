//! Points of a launch: a tile block, and an iteration of each loop around an access.

use crate::access::{Access, Base, Loop, Mask, memory_bits};
use crate::symbolic::{Poly, Symbol};
use tile_analysis::ir::{Body, OpId};
use tile_analysis::range_analysis::Launched;

/// A tile block and the iterations of loops in it.
#[derive(Clone, Debug)]
pub struct Point<'a> {
    body: &'a Body,
    launched: &'a Launched,
    /// The tile block.
    pub block: [i64; 3],
    /// The running loops, the outermost first.
    pub loops: Vec<Turn>,
}

/// An iteration of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The loop.
    pub op: OpId,
    /// The number of finished iterations.
    pub iteration: i64,
    /// The induction variable, if the loop has one and it is known.
    pub induction: Option<i64>,
}

impl<'a> Point<'a> {
    /// The start of a tile block.
    pub fn of_block(body: &'a Body, launched: &'a Launched, block: [i64; 3]) -> Point<'a> {
        Point { body, launched, block, loops: Vec::new() }
    }

    /// The value of a variable; `None` for lanes, and if it is unknown.
    pub fn value(&self, symbol: Symbol) -> Option<i64> {
        let turn = |op: OpId| self.loops.iter().find(|turn| turn.op == op);
        match symbol {
            Symbol::Block(dim) => self.block.get(usize::from(dim)).copied(),
            Symbol::Grid(dim) => self.launched.grid?.get(usize::from(dim)).copied(),
            Symbol::Induction(op) => turn(op)?.induction,
            Symbol::Iteration(op) => turn(op).map(|turn| turn.iteration),
            Symbol::Param(value) => self.launched.params.get(self.body.param(value)?).copied().flatten(),
            Symbol::Lane(..) | Symbol::Unknown(_) | Symbol::Carried(_) => None,
        }
    }

    /// The size in bits of the buffer of a parameter; `None` for other memory, and if it is unknown.
    pub(crate) fn buffer_bits(&self, base: Option<&Base>) -> Option<i64> {
        self.launched.buffers.get(self.body.param(base?.param()?)?).copied().flatten()
    }

    /// Evaluates an expression without lanes.
    pub fn evaluate(&self, poly: &Poly) -> Option<i64> {
        poly.evaluate(&|symbol| self.value(symbol))
    }

    /// Adds an iteration of the next loop.
    pub fn enter(&self, around: &Loop, iteration: i64) -> Point<'a> {
        let induction = around.bounds.as_ref().and_then(|[lower, _, step]| {
            self.evaluate(lower)?.checked_add(self.evaluate(step)?.checked_mul(iteration)?)
        });
        let mut entered = self.clone();
        entered.loops.push(Turn { op: around.op, iteration, induction });
        entered
    }

    /// The number of iterations of the next loop; `None` if it is unknown.
    pub fn trip_count(&self, around: &Loop) -> Option<i64> {
        let [lower, upper, step] = around.bounds.as_ref()?;
        let (lower, upper, step) = (self.evaluate(lower)?, self.evaluate(upper)?, self.evaluate(step)?);
        let length = upper.checked_sub(lower)?.max(0);
        (step > 0).then(|| length / step + i64::from(length % step != 0))
    }
}

/// The elements of an access at one point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// The elements that are accessed.
    pub accessed: u64,
    /// The elements that the mask excludes.
    pub masked: u64,
    /// The elements outside the tensor.
    pub outside: u64,
    /// The elements outside the buffer, which are an error.
    pub out_of_bounds: u64,
}

impl std::ops::AddAssign for Coverage {
    fn add_assign(&mut self, other: Coverage) {
        self.accessed += other.accessed;
        self.masked += other.masked;
        self.outside += other.outside;
        self.out_of_bounds += other.out_of_bounds;
    }
}

impl Access {
    /// Visits the elements that are accessed at a point, each with its index in the tile and its coordinates. `None`
    /// if they depend on unknown values.
    pub fn visit(&self, point: &Point<'_>, visit: &mut dyn FnMut(usize, &[i64])) -> Option<Coverage> {
        let known = |poly: &Poly| Some(Lanes::of(&poly.specialize(&|symbol| point.value(symbol))?, &self.tile));
        let coordinates = self.coordinates.as_ref()?.iter().map(known).collect::<Option<Vec<Lanes>>>()?;
        let extents = self.shape.iter().map(|extent| point.evaluate(extent)).collect::<Option<Vec<i64>>>()?;
        let mask = match &self.mask {
            Mask::Absent => None,
            Mask::Known(mask) => Some(known(mask)?),
            Mask::Unknown(_) => return None,
        };
        let memory = point.buffer_bits(self.base.as_ref()).zip(self.layout(point));
        let (mut coverage, mut place) = (Coverage::default(), vec![0; coordinates.len()]);
        let mut lanes = vec![0; self.tile.len()];
        for index in 0..self.tile.iter().product::<i64>() as usize {
            unravel(index, &self.tile, &mut lanes);
            if let Some(mask) = &mask
                && mask.at(&lanes)? == 0
            {
                coverage.masked += 1;
                continue;
            }
            for (place, coordinate) in place.iter_mut().zip(&coordinates) {
                *place = coordinate.at(&lanes)?;
            }
            if place.iter().zip(&extents).any(|(place, extent)| !(0..*extent).contains(place)) {
                coverage.outside += 1;
                continue;
            }
            if memory.as_ref().is_some_and(|(bits, layout)| !layout.is_inside(*bits, &place)) {
                coverage.out_of_bounds += 1;
                continue;
            }
            coverage.accessed += 1;
            visit(index, &place);
        }
        Some(coverage)
    }

    /// Where the elements of the tensor are in memory; `None` if that is unknown.
    pub fn layout(&self, point: &Point<'_>) -> Option<MemoryLayout> {
        let element = i64::from(memory_bits(self.element));
        let start = point.evaluate(self.offset_bits.as_ref()?)?;
        let stride = |stride: &Poly| point.evaluate(stride)?.checked_mul(element);
        let is_pointer = self.strides.is_empty() && self.shape.is_empty();
        let strides = if is_pointer { Some(vec![element]) } else { self.strides.iter().map(stride).collect() };
        Some(MemoryLayout { start, strides: strides?, element })
    }
}

/// Where the elements of a tensor are, in bits from the start of the memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryLayout {
    /// The first element.
    pub start: i64,
    /// The distance between neighbors along each dimension.
    pub strides: Vec<i64>,
    element: i64,
}

impl MemoryLayout {
    /// The distance of an element from the start of the memory.
    pub fn offset(&self, coordinates: &[i64]) -> i64 {
        let terms = self.strides.iter().zip(coordinates).map(|(stride, coordinate)| stride.saturating_mul(*coordinate));
        terms.fold(self.start, i64::saturating_add)
    }

    /// Whether an element is inside of a buffer of so many bits.
    pub(crate) fn is_inside(&self, buffer_bits: i64, coordinates: &[i64]) -> bool {
        let first = self.offset(coordinates);
        first >= 0 && first.saturating_add(self.element) <= buffer_bits
    }
}

/// The indices along each dimension of the element with a row-major index.
fn unravel(mut index: usize, shape: &[i64], lanes: &mut [i64]) {
    for (lane, &extent) in lanes.iter_mut().zip(shape).rev() {
        *lane = index as i64 % extent;
        index /= extent as usize;
    }
}

/// An expression of lanes alone.
enum Lanes {
    /// A linear one: a factor for each lane, and an offset.
    Linear(Vec<i64>, i64),
    /// Any other.
    Other(Poly),
}

impl Lanes {
    fn of(poly: &Poly, tile: &[i64]) -> Lanes {
        let (mut factors, mut rest) = (Vec::new(), poly.clone());
        for (dim, &extent) in (0..).zip(tile) {
            let split = rest.split_linear(Symbol::Lane(dim, extent));
            let Some((Some(factor), others)) = split.map(|(factor, rest)| (factor.as_number(), rest)) else {
                return Lanes::Other(poly.clone());
            };
            factors.push(factor);
            rest = others;
        }
        rest.as_number().map_or_else(|| Lanes::Other(poly.clone()), |offset| Lanes::Linear(factors, offset))
    }

    fn at(&self, lanes: &[i64]) -> Option<i64> {
        match self {
            Lanes::Linear(factors, offset) => {
                Some(factors.iter().zip(lanes).map(|(factor, lane)| factor * lane).sum::<i64>() + offset)
            }
            Lanes::Other(poly) => poly.evaluate(&|symbol| match symbol {
                Symbol::Lane(dim, _) => lanes.get(usize::from(dim)).copied(),
                _ => None,
            }),
        }
    }
}
