//! Tile blocks that run together. What a program of small tiles does in a block takes less time than the ops around it, so
//! where these come to numbers that are at even distances from block to block, they run once for many blocks, and
//! the tiles of all these blocks are loaded, computed and stored as one.
//!
//! That is possible where an entry has no control flow and reaches memory in chains alone. Nothing orders weak accesses of
//! different tile blocks, so no program can tell the difference.

use super::access::Use;
use super::block;
use super::chain::{Access, Chain, Found};
use super::machine::Machine;
use super::ops::even::{self, Line, Rule};
use super::ops::strip::Rows;
use super::plan::{Action, Operand, Plan, Step};
use super::site::Site;
use super::tile::{Kind, Tile, Word};
use super::value::Value;
use tile_analysis::ir::{Body, Module};
use tile_dialect::{Effect, Mnemonic};

/// An entry whose blocks can run together.
pub(crate) struct Wide {
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
    Rule(Option<Rule>, Kind),
    /// It has none that others read.
    None,
}

/// So many elements are a good deal of work for the ops around them.
const ENOUGH: u64 = 1 << 14;

impl Wide {
    /// How the blocks of an entry can run together.
    pub(crate) fn of(plan: &Plan, module: &Module, body: &Body) -> Option<Wide> {
        let steps = &plan.regions[0].steps;
        let chains = steps.iter().filter_map(|step| match &step.action {
            Action::Chain(chain) => Some(chain.count(body) as u64),
            _ => None,
        });
        let blocks = ENOUGH / chains.max()?;
        let ways = steps.iter().map(|step| Way::of(step, module, body)).collect::<Option<Vec<_>>>()?;
        (blocks > 1).then_some(Wide { ways, blocks })
    }

    /// Runs blocks with consecutive numbers together, as many of the first ones as it can. Tells how many these were.
    pub(crate) fn run(&self, machine: &mut Machine<'_>, first: u64, count: u64) -> u64 {
        let grid = machine.context.grid;
        let mut number = first;
        while number < first + count && machine.begin(number, block(number, grid)).is_ok() {
            let row = u64::from(grid[0]);
            let blocks = (row - number % row).min(first + count - number);
            if blocks == 1 || self.run_row(machine, blocks).is_none() {
                break;
            }
            number += blocks;
        }
        number - first
    }

    /// Runs the block that has begun and the next ones along x, so many in all, if they can run together. Otherwise
    /// nothing has happened.
    fn run_row(&self, machine: &mut Machine<'_>, blocks: u64) -> Option<()> {
        let region = &machine.plan.regions[0];
        let mut strides = vec![0; machine.values.len()];
        let mut chains = Vec::new();
        for (step, way) in region.steps.iter().zip(&self.ways) {
            match (way, &step.action) {
                (Way::Coordinates, _) => {
                    machine.step(step).ok()?;
                    strides[step.results] = 1;
                }
                (Way::Rule(..), _) if step.operands.iter().all(|operand| strides[operand.slot] == 0) => {
                    machine.step(step).ok()?;
                }
                (Way::Rule(rule, kind), _) => {
                    let result = follow(rule.as_ref()?, step, &machine.values, &strides, blocks)?;
                    machine.values[step.results] = result.tile(*kind)?.into();
                    strides[step.results] = result.stride;
                }
                (Way::None, Action::Chain(chain)) => {
                    let Machine { values, inputs, .. } = machine;
                    let rows = |access: &Access, values: &mut [Value]| {
                        together(chain, access, values, &strides, blocks, inputs)
                    };
                    chains.push((chain, chain.reach(values, rows)?));
                }
                (Way::None, _) => {}
            }
        }
        // All are found before the first one stores.
        let memory = &machine.context.memory;
        let found = chains.iter().map(|(chain, reached)| chain.find(reached, memory)).collect::<Option<Vec<_>>>()?;
        found.iter().for_each(Found::run);
        let linked: usize = chains.iter().map(|(chain, _)| chain.steps.len() - 1).sum();
        machine.progress.ops += (region.steps.len() as u64 + region.fixed + linked as u64) * blocks;
        Some(())
    }
}

impl Way {
    fn of(step: &Step, module: &Module, body: &Body) -> Option<Way> {
        let op = body.op(step.op);
        Some(match &step.action {
            Action::Chain(_) | Action::Exit(_) => Way::None,
            Action::Kernel(_) if op.op == Mnemonic::GetTileBlockId => Way::Coordinates,
            Action::Kernel(_) if matches!(op.op.row().effect, Effect::Pure | Effect::None) => {
                let site = Site { module, body, op, id: step.op, sanitize: false, unseen: true };
                Way::Rule(even::rule(&site), site.result(0).kind)
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
    chain: &Chain,
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
