//! Branches: the values they pass on, and the conditions under which later ops run if a branch ends early.

use super::exits::Exits;
use super::{Address, Interpreter, Symbolic};
use crate::access::Condition;
use crate::loops::early_end;
use crate::symbolic::{Function, Poly};
use tile_analysis::ir::{Op, RegionId};
use tile_dialect::Mnemonic as M;

impl Interpreter<'_> {
    pub(super) fn branches(&mut self, op: &Op) {
        let condition = self.operand(op, 0);
        let (mut yields, mut passes) = (Vec::new(), Vec::new());
        for (index, region) in self.body.regions_of(op).enumerate() {
            let outer = self.conditions.len();
            self.conditions.push(Condition { value: condition.clone(), expected: index == 0 });
            self.region(region);
            let inner = self.conditions.split_off(outer);
            passes.push(if early_end(self.body, region).is_some() { Some(Poly::default()) } else { all(&inner[1..]) });
            yields.push(self.yielded(region));
        }
        passes.resize(2, Some(Poly::from(1)));
        self.conditions.extend(remaining(condition.as_ref(), &passes));
        let [Some(yes), Some(no)] = &yields[..] else { return };
        for (result, (yes, no)) in self.body.results(op).zip(yes.iter().zip(no)) {
            let merged = if yes == no { Some(yes.clone()) } else { either(condition.as_ref(), yes, no) };
            if let Some(symbolic) = merged {
                self.set(result, symbolic);
            }
        }
    }

    /// What a region yields.
    fn yielded(&self, region: RegionId) -> Option<Vec<Symbolic>> {
        let last = self.body.op(*self.body.region(region).ops.last()?);
        (last.op == M::Yield).then(|| self.passed(last))
    }

    fn passed(&self, terminator: &Op) -> Vec<Symbolic> {
        self.body.operands(terminator).iter().map(|&value| self.get(value)).collect()
    }

    /// Interprets the body of the innermost loop.
    pub(super) fn iteration(&mut self, region: RegionId) -> Exits {
        let outer = self.conditions.len();
        self.exits.push(Exits { outer, ..Exits::default() });
        self.region(region);
        self.conditions.truncate(outer);
        self.exits.pop().unwrap_or_default()
    }

    /// A `continue` of the innermost loop.
    pub(super) fn ends_iteration(&mut self, op: &Op) {
        let passed = self.passed(op);
        self.exits.last_mut().into_iter().for_each(|exits| exits.continued.push(passed.clone()));
    }

    /// A `break` of the innermost loop.
    pub(super) fn ends_loop(&mut self) {
        if let Some(exits) = self.exits.last_mut() {
            exits.reached.push(all(&self.conditions[exits.outer..]));
        }
    }

    /// A `return`, which ends all loops.
    pub(super) fn ends_block(&mut self) {
        for exits in &mut self.exits {
            let reached = all(&self.conditions[exits.outer..]);
            exits.reached.push(reached.clone());
            exits.returns.push(reached);
        }
    }
}

/// Whether all conditions hold, as a truth value; `None` if that is unknown.
fn all(conditions: &[Condition]) -> Option<Poly> {
    conditions.iter().try_fold(Poly::from(1), |all, condition| {
        let value = condition.value.clone()?;
        let holds = if condition.expected { value } else { Poly::from(1).sub(&value)? };
        Function::And.of(vec![all, holds])
    })
}

/// The condition under which the ops after a branch run, if whether each side passes to them depends on something.
fn remaining(condition: Option<&Poly>, passes: &[Option<Poly>]) -> Option<Condition> {
    let number = |pass: &Option<Poly>| pass.as_ref().and_then(Poly::as_number);
    match (number(&passes[0]), number(&passes[1])) {
        (Some(1), Some(1)) => None,
        (Some(0), Some(0)) => Some(Condition { value: Some(Poly::default()), expected: true }),
        (Some(yes @ (0 | 1)), Some(0 | 1)) => Some(Condition { value: condition.cloned(), expected: yes == 1 }),
        _ => {
            let chosen = || Function::Select.of(vec![condition?.clone(), passes[0].clone()?, passes[1].clone()?]);
            Some(Condition { value: chosen(), expected: true })
        }
    }
}

/// One of two values, depending on a condition.
pub(super) fn either(condition: Option<&Poly>, yes: &Symbolic, no: &Symbolic) -> Option<Symbolic> {
    let select = |yes: &Poly, no: &Poly| Function::Select.of(vec![condition?.clone(), yes.clone(), no.clone()]);
    match (yes, no) {
        (Symbolic::Integer(yes), Symbolic::Integer(no)) => Some(Symbolic::Integer(select(yes, no)?)),
        (Symbolic::Pointer(yes), Symbolic::Pointer(no)) if yes.base == no.base => {
            Some(Symbolic::Pointer(Address { base: yes.base.clone(), bits: select(&yes.bits, &no.bits)? }))
        }
        _ => None,
    }
}
