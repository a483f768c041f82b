//! The maximum memory for the tiles of a tile block, computed from the plan before the run.
//!
//! A value exists from its op until the last op that reads it; an unused value exists until its op runs again.
//! Temporary memory of kernels and reused factors (at most 32 MB in all) are not counted, and a tile with equal
//! elements counts in full unless it is known to be a constant.

use crate::exec::plan::{Action, Plan, Step};
use crate::ops::context::Tiled;
use tile_analysis::ir::{Attr, Body, Op, RegionId, Value};
use tile_dialect::Mnemonic;

/// The maximum memory for the tiles of one tile block, in bytes.
pub(crate) fn of(plan: &Plan, body: &Body) -> u64 {
    let mut sizes = vec![0; body.values.len()];
    let types = (0..).map(Value).zip(&mut sizes);
    types.for_each(|(value, size)| *size = bytes(&Tiled::of(body.ty(value))));
    body.ops.iter().for_each(|op| shrink(op, body, &mut sizes));
    Footprint { plan, body, sizes }.region(RegionId(0)).most
}

fn bytes(tile: &Tiled) -> u64 {
    (tile.count as u64).saturating_mul(tile.kind.bytes())
}

/// A constant with one number takes one element.
fn shrink(op: &Op, body: &Body, sizes: &mut [u64]) {
    let is_single = |attr: &Attr| matches!(attr, Attr::Dense(dense) if dense.bits.len() == 1);
    if op.op == Mnemonic::Constant && body.attrs_of(op).iter().any(is_single) {
        op.results.clone().for_each(|value| sizes[value as usize] = 8);
    }
}

struct Footprint<'a> {
    plan: &'a Plan,
    body: &'a Body,
    /// The bytes of each value.
    sizes: Vec<u64>,
}

/// The memory of a region, in bytes.
#[derive(Clone, Copy, Default)]
struct Taken {
    /// The maximum.
    most: u64,
    /// The memory after its end.
    left: u64,
}

impl Footprint<'_> {
    fn region(&self, id: RegionId) -> Taken {
        let args = self.body.region(id).args.iter().map(|arg| self.sizes[arg.0 as usize]);
        let held = args.fold(0, u64::saturating_add);
        let begun = Taken { most: held, left: held };
        self.plan.region(id).iter().fold(begun, |taken, step| self.step(taken, step))
    }

    fn step(&self, before: Taken, step: &Step) -> Taken {
        let size = |slot: usize| self.sizes[slot];
        let made = (step.results..step.results + step.result_count).map(size).fold(0, u64::saturating_add);
        let used = step.operands.iter().filter(|operand| operand.last).map(|operand| size(operand.slot));
        let inside = regions(&step.action).map(|region| self.region(region));
        let inside = inside.fold(Taken::default(), |all, one| Taken {
            most: all.most.max(all.left.saturating_add(one.most)),
            left: all.left.saturating_add(one.left),
        });
        let with = |more: u64| before.left.saturating_add(made).saturating_add(more);
        let left = with(inside.left).saturating_sub(used.fold(0, u64::saturating_add));
        Taken { most: before.most.max(with(inside.most)), left }
    }
}

fn regions(action: &Action) -> impl Iterator<Item = RegionId> {
    let found = match action {
        Action::For(counted) => [Some(counted.region), None],
        Action::Loop(region) => [Some(*region), None],
        Action::If(then, other) => [Some(*then), *other],
        // A function of scalars runs on whole tiles, which are counted by its operands.
        Action::Fold(_) | Action::Kernel(_) | Action::Fused(_) | Action::Exit(_) => [None, None],
    };
    found.into_iter().flatten()
}
