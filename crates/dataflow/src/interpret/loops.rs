//! Loops. A carried value that changes by the same amount in every iteration is an expression of the iteration.

use super::{Address, Interpreter, Symbolic};
use crate::access::{Base, Loop, memory_bits};
use crate::loops::initial_values;
use crate::overflow::Integers;
use crate::repetition::{Repetition, trip_count};
use crate::symbolic::{Function, Poly, Symbol};
use tile_analysis::ir::{Op, OpId, RegionId, Value};
use tile_dialect::AttrName;

/// The maximum number of nested loops whose carried values are determined. Each level doubles the time.
const MAX_DEPTH: usize = 5;

impl<'a> Interpreter<'a> {
    pub(super) fn for_loop(&mut self, id: OpId, op: &'a Op) {
        let Some(region) = self.body.regions_of(op).next() else { return };
        let Some((&induction, carried)) = self.body.region(region).args.split_first() else { return };
        let is_unsigned = self.attr(op, AttrName::UnsignedCmp).is_flag();
        let bound = |index: usize| if is_unsigned { self.unsigned(op, index) } else { self.operand(op, index) };
        let bounds = || Some([bound(0)?, bound(1)?, bound(2)?]);
        let bounds = bounds();
        self.set(induction, Symbolic::Integer(self.induction(id, induction, bounds.as_ref())));
        let iteration = bounds.as_ref().and_then(|[lower, _, step]| match step.as_number() {
            Some(1) => Poly::from(Symbol::Induction(id)).sub(lower),
            _ => None,
        });
        let iteration = iteration.unwrap_or_else(|| Symbol::Iteration(id).into());
        let count = bounds.as_ref().and_then(trip_count).and_then(|count| Function::Max.of(vec![count, 0.into()]));
        let around = Loop { op: id, induction: Some(induction), bounds, exit: None };
        let init = initial_values(self.body, op);
        self.repeated(around, region, carried, init, &iteration);
        for (result, (&argument, &init)) in self.body.results(op).zip(carried.iter().zip(init)) {
            let last = self.get(argument);
            let at_end = count.as_ref().and_then(|count| at_iteration(&last, &self.get(init), &iteration, count, id));
            if let Some(at_end) = at_end.or_else(|| self.irregular(result, &last)) {
                self.set(result, at_end);
            }
        }
    }

    /// The value of an induction variable, which is signed also where an unsigned loop counts beyond the largest signed
    /// integer.
    fn induction(&self, id: OpId, induction: Value, bounds: Option<&[Poly; 3]>) -> Poly {
        let index = Poly::from(Symbol::Induction(id));
        let element = self.body.ty(induction).as_tile().and_then(|tile| tile.number());
        let bits = element.map_or(i64::BITS, |element| element.bits());
        let largest = i64::MAX >> (i64::BITS - bits);
        let is_far = |bound: &Poly| {
            bound.applies(Function::Unsigned) || bound.as_number().is_some_and(|number| number > largest)
        };
        let signed = || Function::Signed.of(vec![index.clone(), i64::from(bits).into()]);
        let counts_far = bounds.into_iter().flatten().any(is_far);
        counts_far.then(signed).flatten().unwrap_or(index)
    }

    pub(super) fn endless_loop(&mut self, id: OpId, op: &'a Op) {
        let Some(region) = self.body.regions_of(op).next() else { return };
        let carried = &self.body.region(region).args;
        let around = Loop { op: id, induction: None, bounds: None, exit: None };
        self.repeated(around, region, carried, initial_values(self.body, op), &Symbol::Iteration(id).into());
    }

    /// Interprets the body of a loop. `iteration` counts from 0.
    fn repeated(&mut self, around: Loop, region: RegionId, carried: &[Value], init: &[Value], iteration: &Poly) {
        let (id, depth, is_endless) = (around.op, self.loops.len(), around.induction.is_none());
        self.loops.push(around);
        if carried.is_empty() || depth >= MAX_DEPTH {
            for &argument in carried {
                self.set(argument, self.unknown(argument, Symbol::Unknown(argument)));
            }
        } else {
            self.solve(id, region, carried, init, iteration);
        }
        let (first_access, first_loop) = (self.accesses.len(), self.repetitions.len());
        if self.collects {
            self.repetitions.push(Repetition {
                loops: self.loops.clone(),
                conditions: self.conditions.clone(),
                integers: Integers::default(),
            });
        }
        let exits = self.iteration(region);
        self.loops.pop();
        let exit = exits.is_last().filter(|_| is_endless);
        let inner_accesses = self.accesses[first_access..].iter_mut().map(|access| &mut access.loops);
        let inner_loops = self.repetitions[first_loop..].iter_mut().map(|repetition| &mut repetition.loops);
        for around in inner_accesses.chain(inner_loops).filter_map(|loops| loops.get_mut(depth)) {
            around.exit = exit.clone();
        }
        self.conditions.extend(exits.passes(id));
    }

    /// Determines the values that a loop carries into each iteration.
    fn solve(&mut self, id: OpId, region: RegionId, carried: &[Value], init: &[Value], iteration: &Poly) {
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
        let continued = self.iteration(region).continued;
        let solved: Vec<Symbolic> = (carried.iter().zip(init))
            .enumerate()
            .map(|(index, (&argument, &init))| {
                let next: Vec<&Symbolic> = continued.iter().filter_map(|passed| passed.get(index)).collect();
                let start = self.get(init);
                self.carried(argument, &start, &next, |next| {
                    advanced(&start, &change(argument, next, carried, id)?, iteration)
                })
                .unwrap_or_else(|| self.unknown(argument, Symbol::Unknown(argument)))
            })
            .collect();
        self.collects = collects;
        for (&argument, symbolic) in carried.iter().zip(solved) {
            self.set(argument, symbolic);
        }
    }

    /// A value that a loop carries: its start, and what each `continue` passes to the next iteration, of which `moved`
    /// makes an expression of the iteration.
    fn carried(
        &self,
        argument: Value,
        start: &Symbolic,
        next: &[&Symbolic],
        moved: impl Fn(&Symbolic) -> Option<Symbolic>,
    ) -> Option<Symbolic> {
        let (first, others) = next.split_first()?;
        if !next.iter().all(|next| is_same_object(start, next)) {
            return None;
        }
        // An early `continue` can pass on other values.
        let is_unique = others.iter().all(|other| other == first);
        moved(first).filter(|_| is_unique).or_else(|| self.irregular(argument, start))
    }

    /// A pointer into the same object as another one, at an unknown distance from its start.
    fn irregular(&self, pointer: Value, other: &Symbolic) -> Option<Symbolic> {
        let Symbolic::Pointer(address) = other else { return None };
        if matches!(address.base, Base::Computed(_)) {
            return None;
        }
        let pointee = self.body.ty(pointer).as_tile()?.pointee()?;
        let bits = Poly::from(Symbol::Unknown(pointer)).scale(memory_bits(pointee).into())?;
        Some(Symbolic::Pointer(Address { bits, ..address.clone() }))
    }
}

/// Whether two values are not pointers into different objects.
fn is_same_object(one: &Symbolic, other: &Symbolic) -> bool {
    match (one, other) {
        (Symbolic::Pointer(one), Symbolic::Pointer(other)) => one.base == other.base,
        _ => true,
    }
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
    if !is_same_object(value, init) {
        return None;
    }
    match (value, init) {
        (Symbolic::Integer(value), Symbolic::Integer(start)) => advanced(init, &step(value, start)?, count),
        (Symbolic::Pointer(value), Symbolic::Pointer(start)) => advanced(init, &step(&value.bits, &start.bits)?, count),
        _ => None,
    }
}
