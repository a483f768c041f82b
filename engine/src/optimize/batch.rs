//! Tile blocks that run together. What a program of small tiles does in a block takes less time than the ops around it, so
//! where these come to numbers that are at even distances from block to block, they run once for many blocks, and
//! the tiles of all these blocks are loaded, computed and stored as one.
//!
//! That is possible where an entry has no control flow and reaches memory in chains alone. Nothing orders weak accesses of
//! different tile blocks, so no program can tell the difference.
//!
//! A run that sanitizes does the same by a second plan, if nothing else can be wrong with the entry's ops. Its sanitizer is told
//! of the accesses first, block by block.

use crate::exec::block_scheduler::block;
use crate::exec::instrumentation::Uninstrumented;
use crate::exec::interpreter::{Interpreter, Run};
use crate::exec::plan::{Action, Operand, Plan, Step};
use crate::findings::Finding;
use crate::memory::Memory;
use crate::memory::access::Use;
use crate::memory::rows::Rows;
use crate::ops::context::{Mode, Site};
use crate::optimize::affine;
use crate::optimize::affine::Rule;
use crate::optimize::affine::affine_tile::Line;
use crate::optimize::fuse::fused_ops::{Access, Found, FusedOps};
use crate::sanitize::Sanitizer;
use crate::sanitize::checks::Checks;
use crate::values::tile::{Kind, Tile, Word};
use crate::values::value::Value;
use tile_analysis::ir::{Body, Module, OpId};
use tile_dialect::{Effect, Mnemonic};

/// An entry whose blocks can run together.
pub(crate) struct Batch {
    /// How the values of each step follow from block to block.
    ways: Vec<Way>,
    /// How many blocks run together at most.
    pub(crate) blocks: u64,
}

/// How the results of a step follow from block to block.
enum Way {
    /// They are the coordinates of the block.
    Coordinates,
    /// By a rule. Where there is none they must be the same in all blocks, as their operands.
    Rule { rule: Option<Rule>, kind: Kind, pointers: bool },
    /// It has none that others read.
    None,
}

/// So many elements are a good deal of work for the ops around them.
const ENOUGH: u64 = 1 << 14;

impl Batch {
    /// How the blocks of an entry can run together.
    pub(crate) fn of(plan: &Plan, module: &Module, body: &Body) -> Option<Batch> {
        let steps = &plan.regions[0].steps;
        let chains = steps.iter().filter_map(|step| match &step.action {
            Action::Fused(fused) => Some(fused.ops.count(body) as u64),
            _ => None,
        });
        let blocks = ENOUGH / chains.max()?;
        let ways = steps.iter().map(|step| Way::of(step, module, body)).collect::<Option<Vec<_>>>()?;
        (blocks > 1).then_some(Batch { ways, blocks })
    }

    /// Whether all that a run that sanitizes looks for can be told from where the accesses of the chains reach. `plan` is that
    /// of the run, and this is made of another one of the same entry, which does not sanitize.
    pub(crate) fn can_be_sanitized(&self, plan: &Plan, checks: &Checks, body: &Body) -> bool {
        let offsets = body.ops.iter().filter(|op| op.op == Mnemonic::Offset).count();
        let ruled = self.ways.iter().filter(|way| matches!(way, Way::Rule { pointers: true, .. })).count();
        let fits = |step: &Step| checks.of(step.op).is_none_or(|check| check.is_about_memory(body.op(step.op).op));
        offsets == ruled && plan.regions[0].steps.iter().all(fits)
    }

    /// Runs blocks with consecutive numbers together, as many of the first ones as it can. Tells how many these were, and what
    /// a sanitizer that watches found in the next one.
    pub(crate) fn run(
        &self,
        interpreter: &mut Interpreter<'_, Uninstrumented>,
        mut watched: Option<Watched<'_>>,
        first: u64,
        count: u64,
        arguments: &[Value],
    ) -> (u64, Run<()>) {
        let grid = interpreter.context.grid;
        let mut number = first;
        while number < first + count && interpreter.begin(number, block(number, grid)).is_ok() {
            let row = u64::from(grid[0]);
            let blocks = (row - number % row).min(first + count - number);
            if blocks == 1 {
                break;
            }
            interpreter.set_parameters(arguments);
            match self.run_row(interpreter, &mut watched, blocks) {
                None => break,
                Some(Ok(())) => number += blocks,
                Some(Err((ran, finding))) => return (number + ran - first, Err(finding)),
            }
        }
        (number - first, Ok(()))
    }

    /// Runs the block that has begun and the next ones along x, so many in all, if they can run together. Otherwise
    /// nothing has happened. Where something is found, it tells how many blocks come before.
    fn run_row(
        &self,
        interpreter: &mut Interpreter<'_, Uninstrumented>,
        watched: &mut Option<Watched<'_>>,
        blocks: u64,
    ) -> Option<Result<(), (u64, Box<Finding>)>> {
        let region = &interpreter.plan.regions[0];
        let mut strides = vec![0; interpreter.values.len()];
        let mut chains = Vec::new();
        for (step, way) in region.steps.iter().zip(&self.ways) {
            match (way, &step.action) {
                (Way::Coordinates, _) => {
                    interpreter.step(step).ok()?;
                    strides[step.results] = 1;
                }
                (Way::Rule { rule, kind, pointers }, _) => {
                    let result =
                        rule.as_ref().and_then(|rule| follow(rule, step, &interpreter.values, &strides, blocks));
                    let is_same = step.operands.iter().all(|operand| strides[operand.slot] == 0);
                    match result.and_then(|line| Some((line.tile(*kind)?, line.stride()))) {
                        Some((tile, stride)) => {
                            interpreter.values[step.results] = tile.into();
                            strides[step.results] = stride;
                        }
                        None if is_same && !(*pointers && watched.is_some()) => {
                            interpreter.step(step).ok()?;
                        }
                        None => return None,
                    }
                }
                (Way::None, Action::Fused(fused)) => {
                    let chain = &fused.ops;
                    let Interpreter { values, inputs, .. } = interpreter;
                    let rows = |access: &Access, values: &mut [Value]| {
                        together(chain, access, values, &strides, blocks, inputs)
                    };
                    chains.push((chain, chain.reach(values, rows)?));
                }
                (Way::None, _) => {}
            }
        }
        // All are found before the first one stores.
        let memory = &interpreter.context.memory;
        let found = chains.iter().map(|(chain, reached)| chain.find(reached, memory)).collect::<Option<Vec<_>>>()?;
        if let Some(watched) = watched {
            let accesses: Vec<_> = chains.iter().flat_map(|(chain, reached)| chain.accesses(reached)).collect();
            if let Err(found) = watched.look(&accesses, interpreter.context.block, blocks, memory)? {
                return Some(Err(found));
            }
        }
        found.iter().for_each(Found::run);
        let linked: usize = region.steps.iter().map(Step::fused_with).sum();
        interpreter.progress.ops += (region.steps.len() as u64 + region.renaming + linked as u64) * blocks;
        Some(Ok(()))
    }
}

/// Who watches over the blocks, and the plan of the run.
pub(crate) struct Watched<'a> {
    pub(crate) sanitizer: &'a mut Sanitizer,
    pub(crate) plan: &'a Plan,
}

impl Watched<'_> {
    /// Tells of the accesses of so many blocks, the first of which is `block`, one block after the other. Where something is
    /// found, it tells how many blocks come before. Gives `None` before anything has happened if an op is unknown.
    fn look(
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

impl Way {
    fn of(step: &Step, module: &Module, body: &Body) -> Option<Way> {
        let op = body.op(step.op);
        Some(match &step.action {
            Action::Fused(_) | Action::Exit(_) => Way::None,
            Action::Kernel(_) if op.op == Mnemonic::GetTileBlockId => Way::Coordinates,
            Action::Kernel(_) if matches!(op.op.row().effect, Effect::Pure | Effect::None) => {
                let site = Site { module, body, op, id: step.op, mode: Mode::Optimized };
                let pointers = op.op == Mnemonic::Offset;
                Way::Rule { rule: affine::rule(&site), kind: site.result(0).kind, pointers }
            }
            _ => return None,
        })
    }
}

/// The result of a rule, for operands that follow from block to block.
fn follow(rule: &Rule, step: &Step, values: &[Value], strides: &[u64], blocks: u64) -> Option<Line> {
    let line = |operand: &Operand| Some(Line::of(values[operand.slot].tile())?.across(strides[operand.slot], blocks));
    match &step.operands[..] {
        [a] => rule(&[line(a)?]),
        [a, b] => rule(&[line(a)?, line(b)?]),
        _ => None,
    }
}

/// The rows that an access reaches in all blocks.
fn together(
    chain: &FusedOps,
    access: &Access,
    values: &mut [Value],
    strides: &[u64],
    blocks: u64,
    inputs: &mut Vec<Value>,
) -> Option<Rows> {
    let first = chain.rows(access, inputs, |slot| Some(values[slot].share()))?;
    let last = chain.rows(access, inputs, |slot| match strides[slot] {
        0 => Some(values[slot].share()),
        stride => last(values[slot].tile(), stride, blocks),
    })?;
    let rows = first.across(&last, blocks)?;
    // What two blocks write is that of the later one, if they run one after the other.
    let overlaps = rows.step < (rows.count * f32::BYTES) as u64;
    (access.usage == Use::Read || !overlaps).then_some(rows)
}

/// What a tile is in the last block, if it comes there at even distances.
fn last(tile: &Tile, stride: u64, blocks: u64) -> Option<Value> {
    let line = Line::of(tile)?.across(stride, blocks);
    let last = line.is_straight(tile.kind()).then(|| line.later(blocks - 1));
    Some(last?.tile(tile.kind())?.into())
}
