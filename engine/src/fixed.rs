//! What is the same in every tile block: constants, the entry's arguments, and what is made of them alone. It is computed
//! once a launch, and the blocks only run the other ops.
//!
//! An op counts that has no effect and whose operands are known. If it fails, it stays where it is, since only a block
//! that reaches it may fail.

use super::kernel::{Context, Kernel};
use super::plan::{Action, Operand, Plan, Step};
use super::value::Value;
use tile_analysis::ir::{Body, RegionId};
use tile_dialect::{Effect, Mnemonic};

/// Larger tiles are made anew in each block: there they may be changed in place.
const MOST_BYTES: u64 = 1 << 14;

/// Takes the ops that are the same in every tile block out of a plan, and leaves their results there, with the arguments
/// of the entry among them: no block needs to be handed them.
pub(crate) fn fix(plan: &mut Plan, body: &Body, arguments: Vec<Value>, context: &mut Context<'_>) {
    let mut known = vec![None; body.values.len()];
    for (parameter, value) in body.regions[0].args.iter().zip(arguments) {
        known[parameter.0 as usize] = Some(value);
    }
    Fixing { plan, body, context, known: &mut known }.region(RegionId(0));
    for operand in plan.regions.iter_mut().flat_map(|region| &mut region.steps).flat_map(|step| &mut step.operands) {
        operand.last &= known[operand.slot].is_none();
    }
    plan.fixed = known.into_iter().enumerate().filter_map(|(slot, value)| Some((slot, value?))).collect();
}

struct Fixing<'a, 'b> {
    plan: &'a mut Plan,
    body: &'a Body,
    context: &'a mut Context<'b>,
    /// The values that are known, by number.
    known: &'a mut [Option<Value>],
}

impl Fixing<'_, '_> {
    fn region(&mut self, id: RegionId) {
        let place = id.0 as usize;
        let mut steps = std::mem::take(&mut self.plan.regions[place].steps);
        let count = steps.len();
        steps.retain(|step| !self.is_fixed(step));
        self.plan.regions[place].fixed += (count - steps.len()) as u64;
        self.plan.regions[place].steps = steps;
    }

    /// Whether the results of an op are known now. Looks into the regions that it runs.
    fn is_fixed(&mut self, step: &Step) -> bool {
        match &step.action {
            Action::Kernel(kernel) => self.compute(step, kernel).is_some(),
            Action::For(counted) => self.inside([Some(counted.region), None]),
            Action::Loop(region) => self.inside([Some(*region), None]),
            Action::If(then, other) => self.inside([Some(*then), *other]),
            Action::Fold(_) | Action::Chain(_) | Action::Exit(_) => false,
        }
    }

    fn inside(&mut self, regions: [Option<RegionId>; 2]) -> bool {
        regions.into_iter().flatten().for_each(|region| self.region(region));
        false
    }

    fn compute(&mut self, step: &Step, kernel: &Kernel) -> Option<()> {
        let op = self.body.op(step.op).op;
        let has_no_effect = matches!(op.row().effect, Effect::Pure | Effect::None);
        if !has_no_effect || op == Mnemonic::GetTileBlockId {
            return None;
        }
        let mut inputs =
            step.operands.iter().map(|operand| self.input(step, operand)).collect::<Option<Vec<Value>>>()?;
        let mut results = Vec::new();
        self.context.op = step.op;
        kernel(self.context, &mut inputs, &mut results).ok()?;
        let is_small = |value: &Value| value.bytes() <= MOST_BYTES;
        if !results.iter().all(is_small) {
            return None;
        }
        for (slot, value) in (step.results..).zip(results) {
            self.known[slot] = Some(value.alone());
        }
        Some(())
    }

    fn input(&self, step: &Step, operand: &Operand) -> Option<Value> {
        let mut value = self.known[operand.slot].clone()?;
        if !step.takes_even {
            value.expand();
        }
        Some(value)
    }
}
