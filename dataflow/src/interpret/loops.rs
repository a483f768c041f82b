//! Loops. A carried value that changes by the same amount in every iteration is an expression of the iteration.

use super::{Address, Interpreter, Symbolic};
use crate::access::Loop;
use crate::symbolic::{Function, Poly, Symbol};
use tile_analysis::ir::{Op, OpId, RegionId, Value};
use tile_dialect::Mnemonic as M;

/// The maximum number of nested loops whose carried values are determined. Each level doubles the time.
const MAX_DEPTH: usize = 5;

/// The operand row of the initial values of `for`; that of `loop` is 0.
const FOR_INIT: usize = 3;

impl<'a> Interpreter<'a> {
    pub(super) fn for_loop(&mut self, id: OpId, op: &'a Op) {
        let Some(region) = self.body.regions_of(op).next() else { return };
        let Some((&induction, carried)) = self.body.region(region).args.split_first() else { return };
        let bound = |index: usize| self.operand(op, index);
        let bounds = || Some([bound(0)?, bound(1)?, bound(2)?]);
        let bounds = bounds();
        self.set(induction, Symbolic::Integer(Symbol::Induction(id).into()));
        let iteration = bounds.as_ref().and_then(|[lower, _, step]| match step.as_number() {
            Some(1) => Poly::from(Symbol::Induction(id)).sub(lower),
            _ => None,
        });
        let iteration = iteration.unwrap_or_else(|| Symbol::Iteration(id).into());
        let count = bounds.as_ref().and_then(trip_count);
        let around = Loop { op: id, induction: Some(induction), bounds };
        let init = self.body.group(op, FOR_INIT);
        self.repeated(around, region, carried, init, &iteration);
        let Some(count) = count else { return };
        for (result, (&argument, &init)) in self.body.results(op).zip(carried.iter().zip(init)) {
            let last = self.get(argument);
            if let Some(last) = at_iteration(&last, &self.get(init), &iteration, &count, id) {
                self.set(result, last);
            }
        }
    }

    pub(super) fn endless_loop(&mut self, id: OpId, op: &'a Op) {
        let Some(region) = self.body.regions_of(op).next() else { return };
        let carried = &self.body.region(region).args;
        let around = Loop { op: id, induction: None, bounds: None };
        self.repeated(around, region, carried, self.body.group(op, 0), &Symbol::Iteration(id).into());
    }

    /// Interprets the body of a loop. `iteration` counts from 0.
    fn repeated(&mut self, around: Loop, region: RegionId, carried: &[Value], init: &[Value], iteration: &Poly) {
        let id = around.op;
        self.loops.push(around);
        if carried.is_empty() || self.loops.len() > MAX_DEPTH {
            for &argument in carried {
                self.set(argument, self.unknown(argument, Symbol::Unknown(argument)));
            }
            self.region(region);
            self.loops.pop();
            return;
        }
        let collects = std::mem::replace(&mut self.collects, false);
        for (&argument, &init) in carried.iter().zip(init) {
            let symbol = Symbol::Carried(argument).into();
            let symbolic = match self.get(init) {
                Symbolic::Integer(_) => Symbolic::Integer(symbol),
                Symbolic::Pointer(address) => Symbolic::Pointer(Address { bits: symbol, ..address }),
                _ => Symbolic::Opaque,
            };
            self.set(argument, symbolic);
        }
        self.region(region);
        // An early `continue` can pass on other values.
        let next = self.passed_on(region, M::Continue).filter(|_| !self.continues_early(region)).unwrap_or_default();
        let solved: Vec<Symbolic> = (carried.iter().zip(init))
            .enumerate()
            .map(|(index, (&argument, &init))| {
                let step = next.get(index).and_then(|next| change(argument, next, carried, id));
                let start = self.get(init);
                let moved = step.and_then(|step| advanced(&start, &step, iteration));
                moved.unwrap_or_else(|| self.unknown(argument, Symbol::Unknown(argument)))
            })
            .collect();
        self.collects = collects;
        for (&argument, symbolic) in carried.iter().zip(solved) {
            self.set(argument, symbolic);
        }
        self.region(region);
        self.loops.pop();
    }
}

impl Interpreter<'_> {
    /// Whether a branch in the body of a loop contains a `continue` of that loop.
    fn continues_early(&self, region: RegionId) -> bool {
        let branches = self.body.region(region).ops.iter().map(|&id| self.body.op(id)).filter(|op| op.op == M::If);
        let mut regions = branches.flat_map(|op| self.body.regions_of(op));
        regions.any(|region| {
            let last = self.body.region(region).ops.last().map(|&id| self.body.op(id).op);
            last == Some(M::Continue) || self.continues_early(region)
        })
    }
}

/// The number of iterations of a `for`, which is at least 0.
fn trip_count([lower, upper, step]: &[Poly; 3]) -> Option<Poly> {
    let count = Function::Ceiling.of(vec![upper.sub(lower)?, step.clone()])?;
    Function::Max.of(vec![count, Poly::default()])
}

/// The change of a carried value in an iteration, if it is the same in all.
fn change(argument: Value, next: &Symbolic, carried: &[Value], id: OpId) -> Option<Poly> {
    let next = match next {
        Symbolic::Integer(poly) => poly,
        Symbolic::Pointer(Address { bits, .. }) => bits,
        _ => return None,
    };
    let step = next.sub(&Symbol::Carried(argument).into())?;
    let varies = |symbol: Symbol| match symbol {
        Symbol::Carried(other) => carried.contains(&other),
        Symbol::Induction(other) | Symbol::Iteration(other) => other == id,
        Symbol::Unknown(_) => true,
        _ => false,
    };
    (!step.mentions(&varies)).then_some(step)
}

fn advanced(start: &Symbolic, step: &Poly, iteration: &Poly) -> Option<Symbolic> {
    let distance = step.mul(iteration)?;
    match start {
        Symbolic::Integer(poly) => Some(Symbolic::Integer(poly.add(&distance)?)),
        Symbolic::Pointer(address) => {
            Some(Symbolic::Pointer(Address { bits: address.bits.add(&distance)?, ..address.clone() }))
        }
        _ => None,
    }
}

/// A carried value after all iterations.
fn at_iteration(value: &Symbolic, init: &Symbolic, iteration: &Poly, count: &Poly, id: OpId) -> Option<Symbolic> {
    let step = |value: &Poly, init: &Poly| {
        let distance = value.sub(init)?;
        if distance.is_zero() {
            return Some(Poly::default());
        }
        let symbol = iteration
            .symbols()
            .into_iter()
            .find(|symbol| matches!(symbol, Symbol::Induction(of) | Symbol::Iteration(of) if *of == id))?;
        let (step, _) = distance.split_linear(symbol)?;
        // A value that changes irregularly is not a multiple of the iteration.
        (step.mul(iteration)? == distance).then_some(step)
    };
    match (value, init) {
        (Symbolic::Integer(value), Symbolic::Integer(start)) => advanced(init, &step(value, start)?, count),
        (Symbolic::Pointer(value), Symbolic::Pointer(start)) => advanced(init, &step(&value.bits, &start.bits)?, count),
        _ => None,
    }
}
