//! Batches of tile blocks. In a program of small tiles, the overhead of each op outweighs its work. Where indices
//! differ from block to block by a constant stride, the ops run once for many blocks, and the tiles of all these blocks
//! are loaded, computed and stored as one.
//!
//! The entry must have no control flow and access memory in fused ops only. Nothing orders weak accesses of different
//! tile blocks, so no program can observe the difference.
//!
//! Vector addition in tiles of 1024 takes 1.8 times as long without it, in tiles of 128 seven times
//! (`benches/engine.rs`).

use crate::exec::block_scheduler::block;
use crate::exec::instrumentation::Uninstrumented;
use crate::exec::interpreter::{Interpreter, RunResult};
use crate::exec::plan::{Action, Operand, Plan, Step};
use crate::findings::Finding;
use crate::memory::Memory;
use crate::memory::access::Use;
use crate::memory::rows::Rows;
use crate::ops::context::{Mode, OpContext};
use crate::optimize::affine;
use crate::optimize::affine::Rule;
use crate::optimize::affine::affine_tile::AffineTile;
use crate::optimize::fuse::fused_ops::{Access, FusedOps, LocatedOps};
use crate::sanitize::Sanitizer;
use crate::sanitize::checks::Checks;
use crate::values::tile::{Scalar, ScalarKind, Tile};
use crate::values::value::Value;
use tile_analysis::ir::{Body, Module, OpId};
use tile_dialect::{Effect, Mnemonic};

/// An entry whose blocks can run in batches.
pub(crate) struct Batch {
    /// How the results of each step change from block to block.
    progressions: Vec<Progression>,
    /// The maximum number of blocks in a batch.
    pub(crate) blocks: u64,
}

/// How the results of a step change from block to block.
enum Progression {
    /// They are the coordinates of the block.
    Coordinates,
    /// By a rule. Without one they must be the same in all blocks, like their operands.
    Rule { rule: Option<Rule>, kind: ScalarKind, pointers: bool },
    /// It has no result that other steps read.
    None,
}

/// The target number of elements in a batch: enough work to outweigh the overhead of the ops.
const ELEMENTS: u64 = 1 << 14;

impl Batch {
    /// Plans the batches of an entry, if its blocks can run in batches.
    pub(crate) fn of(plan: &Plan, module: &Module, body: &Body) -> Option<Batch> {
        let steps = &plan.regions[0].steps;
        let fused = steps.iter().filter_map(|step| match &step.action {
            Action::Fused(fused) => Some(fused.ops.count(body) as u64),
            _ => None,
        });
        let blocks = ELEMENTS / fused.max()?;
        let progressions = steps.iter().map(|step| Progression::of(step, module, body)).collect::<Option<Vec<_>>>()?;
        (blocks > 1).then_some(Batch { progressions, blocks })
    }

    /// Whether the sanitizer can check a batch by its accesses alone. `plan` is the sanitized plan of the same entry.
    pub(crate) fn can_be_sanitized(&self, plan: &Plan, checks: &Checks, body: &Body) -> bool {
        let offsets = body.ops.iter().filter(|op| op.op == Mnemonic::Offset).count();
        let ruled =
            self.progressions.iter().filter(|way| matches!(way, Progression::Rule { pointers: true, .. })).count();
        let fits = |step: &Step| checks.of(step.op).is_none_or(|check| check.is_about_memory(body.op(step.op).op));
        offsets == ruled && plan.regions[0].steps.iter().all(fits)
    }

    /// Runs as many of `count` consecutive blocks as possible in batches. Returns their number, and the sanitizer's
    /// finding in the block after them, if any.
    pub(crate) fn run(
        &self,
        interpreter: &mut Interpreter<'_, Uninstrumented>,
        mut sanitized: Option<SanitizedAccesses<'_, '_>>,
        first: u64,
        count: u64,
        arguments: &[Value],
    ) -> (u64, RunResult<()>) {
        let grid = interpreter.context.grid;
        let mut number = first;
        while number < first + count && interpreter.begin(number, block(number, grid)).is_ok() {
            let row = u64::from(grid[0]);
            let blocks = (row - number % row).min(first + count - number);
            if blocks == 1 {
                break;
            }
            interpreter.set_parameters(arguments);
            match self.run_row(interpreter, &mut sanitized, blocks) {
                None => break,
                Some(Ok(())) => number += blocks,
                Some(Err((ran, finding))) => return (number + ran - first, Err(finding)),
            }
        }
        (number - first, Ok(()))
    }

    /// Runs the current block and the next ones along x, `blocks` in all. Returns `None`, without side effects, if they
    /// cannot run as a batch. A finding comes with the number of the blocks before it.
    fn run_row(
        &self,
        interpreter: &mut Interpreter<'_, Uninstrumented>,
        sanitized: &mut Option<SanitizedAccesses<'_, '_>>,
        blocks: u64,
    ) -> Option<Result<(), (u64, Box<Finding>)>> {
        let region = &interpreter.plan.regions[0];
        let mut strides = vec![0; interpreter.values.len()];
        let mut batches = Vec::new();
        for (step, progression) in region.steps.iter().zip(&self.progressions) {
            match (progression, &step.action) {
                (Progression::Coordinates, _) => {
                    interpreter.step(step).ok()?;
                    strides[step.results] = 1;
                }
                (Progression::Rule { rule, kind, pointers }, _) => {
                    let result =
                        rule.as_ref().and_then(|rule| follow(rule, step, &interpreter.values, &strides, blocks));
                    let is_same = step.operands.iter().all(|operand| strides[operand.slot] == 0);
                    match result.and_then(|line| Some((line.tile(*kind)?, line.stride()))) {
                        Some((tile, stride)) => {
                            interpreter.values[step.results] = tile.into();
                            strides[step.results] = stride;
                        }
                        None if is_same && !(*pointers && sanitized.is_some()) => {
                            interpreter.step(step).ok()?;
                        }
                        None => return None,
                    }
                }
                (Progression::None, Action::Fused(fused)) => {
                    let ops = &fused.ops;
                    let Interpreter { values, inputs, .. } = interpreter;
                    let rows =
                        |access: &Access, values: &mut [Value]| together(ops, access, values, &strides, blocks, inputs);
                    batches.push((ops, ops.reach(values, rows)?));
                }
                (Progression::None, _) => {}
            }
        }
        // All rows are located before the first store.
        let memory = &interpreter.context.memory;
        let found = batches.iter().map(|(ops, reached)| ops.find(reached, memory)).collect::<Option<Vec<_>>>()?;
        if let Some(sanitized) = sanitized {
            let accesses: Vec<_> = batches.iter().flat_map(|(ops, reached)| ops.accesses(reached)).collect();
            if let Err(found) = sanitized.check(&accesses, interpreter.context.block, blocks, memory)? {
                return Some(Err(found));
            }
        }
        found.iter().for_each(LocatedOps::run);
        let linked: usize = region.steps.iter().map(Step::fused_with).sum();
        interpreter.progress.ops += (region.steps.len() as u64 + region.renaming + linked as u64) * blocks;
        Some(Ok(()))
    }
}

/// The sanitizer of a batch, and the sanitized plan.
pub(crate) struct SanitizedAccesses<'a, 's> {
    pub(crate) sanitizer: &'a mut Sanitizer<'s>,
    pub(crate) plan: &'a Plan,
}

impl SanitizedAccesses<'_, '_> {
    /// Checks the accesses of some blocks, one block after another. A finding comes with the number of the blocks
    /// before it. Returns `None`, without side effects, if an op is unknown.
    fn check(
        &mut self,
        accesses: &[(OpId, Rows)],
        [x, y, z]: [u32; 3],
        blocks: u64,
        memory: &Memory,
    ) -> Option<Result<(), (u64, Box<Finding>)>> {
        let step = |op: OpId| self.plan.regions[0].steps.iter().find(|step| step.op == op);
        let accesses = accesses.iter().map(|(op, rows)| Some((step(*op)?, rows))).collect::<Option<Vec<_>>>()?;
        for index in 0..blocks {
            let block = [x + index as u32, y, z];
            self.sanitizer.begin(block);
            for (step, rows) in &accesses {
                let address = rows.first.wrapping_add(index * rows.step);
                if let Err(fault) = self.sanitizer.reaches(step, address, rows.count, memory) {
                    return Some(Err((index, Box::new(fault.at(Some(step.op), block)))));
                }
            }
        }
        Some(Ok(()))
    }
}

impl Progression {
    fn of(step: &Step, module: &Module, body: &Body) -> Option<Progression> {
        let op = body.op(step.op);
        Some(match &step.action {
            Action::Fused(_) | Action::Exit(_) => Progression::None,
            Action::Kernel(_) if op.op == Mnemonic::GetTileBlockId => Progression::Coordinates,
            Action::Kernel(_) if matches!(op.op.row().effect, Effect::Pure | Effect::None) => {
                let cx = OpContext { module, body, op, id: step.op, mode: Mode::Optimized };
                let pointers = op.op == Mnemonic::Offset;
                Progression::Rule { rule: affine::rule(&cx), kind: cx.result(0).kind, pointers }
            }
            _ => return None,
        })
    }
}

/// The result of a rule, for operands that are progressions over blocks.
fn follow(rule: &Rule, step: &Step, values: &[Value], strides: &[u64], blocks: u64) -> Option<AffineTile> {
    let line =
        |operand: &Operand| Some(AffineTile::of(values[operand.slot].tile())?.across(strides[operand.slot], blocks));
    match &step.operands[..] {
        [a] => rule(&[line(a)?]),
        [a, b] => rule(&[line(a)?, line(b)?]),
        _ => None,
    }
}

/// The rows that an access uses in all blocks.
fn together(
    ops: &FusedOps,
    access: &Access,
    values: &mut [Value],
    strides: &[u64],
    blocks: u64,
    inputs: &mut Vec<Value>,
) -> Option<Rows> {
    let first = ops.rows(access, inputs, |slot| Some(values[slot].share()))?;
    let last = ops.rows(access, inputs, |slot| match strides[slot] {
        0 => Some(values[slot].share()),
        stride => last(values[slot].tile(), stride, blocks),
    })?;
    let rows = first.across(&last, blocks)?;
    // If two blocks write the same element, the later one wins, as if they ran one after another.
    let overlaps = rows.step < (rows.count * f32::BYTES) as u64;
    (access.usage == Use::Read || !overlaps).then_some(rows)
}

/// The tile in the last block, if it changes by a constant stride from block to block.
fn last(tile: &Tile, stride: u64, blocks: u64) -> Option<Value> {
    let line = AffineTile::of(tile)?.across(stride, blocks);
    let last = line.is_straight(tile.kind()).then(|| line.later(blocks - 1));
    Some(last?.tile(tile.kind())?.into())
}
