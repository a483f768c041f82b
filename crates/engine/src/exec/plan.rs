//! The plan of an entry: every op with its kernel, made once and then run for every tile block.

use crate::exec::fold::Fold;
use crate::findings::Finding;
use crate::ops;
use crate::ops::context::{Mode, OpContext};
use crate::ops::kernel::{Kernel, OpResult};
use crate::optimize::affine;
use crate::optimize::fuse::fused_ops::FusedOps;
use std::collections::HashMap;
use tile_analysis::ir::{Body, Module, Op, OpId, RegionId, Value};
use tile_dialect::{AttrName, Class, Element, Mnemonic, OperandName, ordering};

/// An entry, ready to run.
pub(crate) struct Plan {
    /// The regions, by number.
    pub(crate) regions: Vec<Region>,
    /// Whether it prints.
    pub(crate) prints: bool,
    /// Whether tile blocks can wait for each other.
    pub(crate) waits: bool,
}

/// The ops of a region, ready to run.
pub(crate) struct Region {
    pub(crate) steps: Vec<Step>,
    /// The number of omitted ops, which only rename a value.
    pub(crate) renaming: u64,
}

/// An op, ready to run.
pub(crate) struct Step {
    /// The number of the op.
    pub(crate) op: OpId,
    /// The values it reads.
    pub(crate) operands: Box<[Operand]>,
    /// The number of its first result.
    pub(crate) results: usize,
    /// How many results it has.
    pub(crate) result_count: usize,
    /// Whether it can be deferred: only tokens and values order it.
    pub(crate) movable: bool,
    pub(crate) action: Action,
    /// Whether it accepts tiles whose elements are not stored.
    pub(crate) takes_affine: bool,
}

impl Step {
    /// The number of following ops that run fused with it.
    pub(crate) fn fused_with(&self) -> usize {
        match &self.action {
            Action::Fused(fused) => fused.steps.len() - 1,
            _ => 0,
        }
    }
}

/// A value that an op reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand {
    /// Its number.
    pub(crate) slot: usize,
    /// Whether this is the last use, so that the op can take the value.
    pub(crate) last: bool,
}

/// The action of a step.
pub(crate) enum Action {
    /// Computes, reads or writes.
    Kernel(Kernel),
    /// Runs its region for each value of its induction variable.
    For(ForLoop),
    /// Runs its region until it breaks.
    Loop(RegionId),
    /// Runs one of two regions.
    If(RegionId, Option<RegionId>),
    /// Combines elements along a dimension.
    Fold(Box<Fold>),
    /// Runs several ops together.
    Fused(Box<FusedSteps>),
    /// Ends its region and hands its operands on.
    Exit(Exit),
}

/// Ops that can run fused.
pub(crate) struct FusedSteps {
    /// The separate ops, for operands with which they cannot run fused.
    pub(crate) steps: Vec<Step>,
    /// The fused ops.
    pub(crate) ops: FusedOps,
}

/// A counted loop.
pub(crate) struct ForLoop {
    pub(crate) region: RegionId,
    /// The type of the induction variable.
    pub(crate) element: Element,
    /// Whether bounds are compared as unsigned.
    pub(crate) unsigned: bool,
}

impl ForLoop {
    /// The largest value of the induction variable.
    pub(crate) fn largest(&self) -> i128 {
        let width = self.element.bits();
        (1 << if self.unsigned { width } else { width - 1 }) - 1
    }
}

/// The control flow at the end of a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// To the enclosing op.
    Yield,
    /// To the next iteration of the enclosing loop.
    Continue,
    /// Out of the enclosing loop.
    Break,
    /// Out of the tile block.
    Return,
}

impl Plan {
    /// Plans an entry.
    pub(crate) fn new(module: &Module, body: &Body, mode: Mode) -> Result<Plan, Box<Finding>> {
        let cx = |id| OpContext { module, body, op: body.op(id), id, mode };
        let names = Names::of(body, |id| mode == Mode::Optimized && ops::is_same_value(&cx(id)));
        let regions = body.regions.iter().map(|region| {
            let last = LastUses::of(body, &names, &region.ops, region.args.iter().copied());
            let computing = region.ops.iter().enumerate().filter(|(_, id)| !names.adds_one(body.op(**id)));
            let steps = computing.map(|(position, &id)| {
                step(&cx(id), position, &names, &last).map_err(|fault| Box::new(fault.at(Some(id), [0; 3])))
            });
            let steps = steps.collect::<Result<Vec<_>, Box<Finding>>>()?;
            let renaming = (region.ops.len() - steps.len()) as u64;
            Ok(Region { steps, renaming })
        });
        let regions = regions.collect::<Result<_, Box<Finding>>>()?;
        let waits = body.ops.iter().any(|op| op.op == Mnemonic::Loop && reads_strongly(body, op));
        let prints = body.ops.iter().any(|op| op.op == Mnemonic::PrintTko);
        Ok(Plan { regions, prints, waits })
    }

    /// Disables taking values at their last use.
    pub(crate) fn keep_values(&mut self) {
        let steps = self.regions.iter_mut().flat_map(|region| &mut region.steps);
        steps.flat_map(|step| &mut step.operands).for_each(|operand| operand.last = false);
    }

    /// The steps of a region.
    pub(crate) fn region(&self, id: RegionId) -> &[Step] {
        &self.regions[id.0 as usize].steps
    }
}

/// Whether an op or one inside its regions is a strong access that reads.
fn reads_strongly(body: &Body, op: &Op) -> bool {
    let row = op.op.row();
    let order = row.attr(AttrName::MemoryOrderingSemantics).and_then(|(index, _)| body.attr(op, index).as_enum());
    order.is_some_and(|order| order != ordering::WEAK) && row.results.iter().any(|result| result.class == Class::Tile)
        || body.regions_of(op).any(|id| body.region(id).ops.iter().any(|&id| reads_strongly(body, body.op(id))))
}

fn step(cx: &OpContext<'_>, position: usize, names: &Names, last: &LastUses) -> OpResult<Step> {
    let operands: Vec<Value> = cx.body.operands(cx.op).iter().map(|value| names.first(*value)).collect();
    let operands = operands.iter().enumerate().map(|(index, value)| Operand {
        slot: value.0 as usize,
        last: last.at(*value) == Some(position) && !operands[index + 1..].contains(value),
    });
    let operands = operands.collect();
    let (action, takes_affine) = match action(cx)? {
        Action::Kernel(kernel) => {
            let (kernel, takes_affine) = affine::plan(cx, kernel);
            (Action::Kernel(kernel), takes_affine)
        }
        other => (other, false),
    };
    let results = cx.op.results.start as usize..cx.op.results.end as usize;
    let movable =
        matches!(action, Action::Kernel(_)) && cx.op.op.row().attr(AttrName::MemoryOrderingSemantics).is_some();
    let (result_count, results) = (results.len(), results.start);
    Ok(Step { op: cx.id, operands, results, result_count, movable, action, takes_affine })
}

fn action(cx: &OpContext<'_>) -> OpResult<Action> {
    let mut regions = cx.body.regions_of(cx.op);
    let region = regions.next().unwrap_or(RegionId(0));
    Ok(match cx.op.op {
        Mnemonic::For => Action::For(ForLoop {
            region,
            element: cx.operand(OperandName::LowerBound).element,
            unsigned: cx.flag(AttrName::UnsignedCmp),
        }),
        Mnemonic::Loop => Action::Loop(region),
        Mnemonic::If => Action::If(region, regions.next()),
        Mnemonic::Reduce => Action::Fold(Box::new(Fold::reduce(cx, region))),
        Mnemonic::Scan => Action::Fold(Box::new(Fold::scan(cx, region))),
        Mnemonic::Yield => Action::Exit(Exit::Yield),
        Mnemonic::Continue => Action::Exit(Exit::Continue),
        Mnemonic::Break => Action::Exit(Exit::Break),
        Mnemonic::Return => Action::Exit(Exit::Return),
        _ => Action::Kernel(ops::plan(cx)?),
    })
}

/// For each value, the first one with the same representation: an op whose result equals its operand only renames it.
struct Names(Vec<Value>);

impl Names {
    fn of(body: &Body, is_same_value: impl Fn(OpId) -> bool) -> Names {
        let mut names = Names((0..body.values.len() as u32).map(Value).collect());
        names.add(body, RegionId(0), &is_same_value);
        names
    }

    /// Adds the names of a region. Values are named before they are read.
    fn add(&mut self, body: &Body, region: RegionId, is_same_value: &impl Fn(OpId) -> bool) {
        for &id in &body.region(region).ops {
            let op = body.op(id);
            if is_same_value(id) {
                self.0[op.results.start as usize] = self.first(body.operands(op)[0]);
            }
            body.regions_of(op).for_each(|inner| self.add(body, inner, is_same_value));
        }
    }

    fn first(&self, value: Value) -> Value {
        self.0[value.0 as usize]
    }

    /// Whether an op only adds a name.
    fn adds_one(&self, op: &Op) -> bool {
        op.results.clone().map(Value).any(|result| self.first(result) != result)
    }
}

/// For each value that a region defines, the index of the op of that region that reads it last, directly or in a nested
/// region. In the latter case the value cannot be taken, since the nested region can run again.
struct LastUses(HashMap<Value, Option<usize>>);

impl LastUses {
    fn of(body: &Body, names: &Names, ops: &[OpId], args: impl Iterator<Item = Value>) -> LastUses {
        let mut last: HashMap<Value, Option<usize>> = args.map(|value| (value, None)).collect();
        for (position, &id) in ops.iter().enumerate() {
            let op = body.op(id);
            for region in body.regions_of(op) {
                read_inside(body, region, &mut |value| {
                    last.entry(names.first(value)).and_modify(|found| *found = None);
                });
            }
            let owns = matches!(op.op, Mnemonic::For | Mnemonic::Loop | Mnemonic::Reduce | Mnemonic::Scan)
                || body.regions_of(op).len() == 0;
            for value in body.operands(op).iter().map(|value| names.first(*value)) {
                let inside = op.regions.clone().any(|region| reads(body, names, RegionId(region), value));
                last.entry(value).and_modify(|found| *found = (owns && !inside).then_some(position));
            }
            last.extend(body.results(op).map(|value| (value, None)));
        }
        LastUses(last)
    }

    fn at(&self, value: Value) -> Option<usize> {
        self.0.get(&value).copied().flatten()
    }
}

/// Calls `read` for every value that the ops of a region read, including nested regions.
fn read_inside(body: &Body, region: RegionId, read: &mut impl FnMut(Value)) {
    for &id in &body.region(region).ops {
        let op: &Op = body.op(id);
        body.operands(op).iter().for_each(|&value| read(value));
        body.regions_of(op).for_each(|inner| read_inside(body, inner, &mut *read));
    }
}

fn reads(body: &Body, names: &Names, region: RegionId, value: Value) -> bool {
    let mut found = false;
    read_inside(body, region, &mut |other| found |= names.first(other) == value);
    found
}
