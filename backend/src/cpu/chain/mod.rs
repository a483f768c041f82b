//! Chains: loads, what is computed from them element by element, and stores, run a strip of the tiles at a time.
//!
//! An op that computes its whole tile leaves it in a farther cache than the one from which the next op would read it
//! fastest. The ops of a chain run one after another too, but on so few elements at a time that these stay in the
//! nearest cache; then on the next ones. The kernels are the same ones, so that every bit of the results is.
//!
//! `find` says which ops of a region are a chain: nobody else reads what they compute, and nothing stands between them
//! that could tell when they run. What depends on the operands is asked before each run: all tiles must lie in memory
//! in whole rows, and what is stored must not be loaded elsewhere in a tile. Otherwise the ops run one whole tile after
//! another, which also finds what is wrong with them.

mod find;

use super::access::Use;
use super::kernel::Outcome;
use super::machine::{Machine, Run, fetch};
use super::memory::Memory;
use super::ops::rows::{self, FindRows, Rows};
use super::plan::{Action, Step};
use super::reuse::vector;
use super::site::Site;
use super::tile::{Kind, Tile, Word, full, with_kind};
use super::value::Value;
pub(super) use find::{Group, Uses, arrange, separate};
use std::ops::Range;

/// Ops that run a strip at a time.
pub(crate) struct Chain {
    /// In the order of the program.
    members: Vec<Member>,
    /// The elements of each tile.
    count: usize,
}

/// An op of a chain.
pub(crate) struct Member {
    step: Step,
    does: Does,
    /// For each operand, whether the chain computes it: a strip is there then, not a whole tile.
    inside: Box<[bool]>,
}

/// What an op of a chain does with a strip.
enum Does {
    /// Loads elements of a kind from the rows with a number.
    Load(Kind, FindRows, usize),
    /// Runs its kernel.
    Compute,
    /// Stores elements of a kind, the operand at a place, to the rows with a number.
    Store(Kind, FindRows, usize, usize),
}

/// The elements of a strip. Few enough that several strips fit the nearest cache, many enough that what an op costs
/// beside its elements is little.
const STRIP: usize = 1024;

impl Chain {
    /// The chain of these steps, which `find` has found.
    pub(super) fn new(sites: &[Site<'_>], steps: Vec<Step>) -> Outcome<Chain> {
        let (mut count, mut accesses) = (0, 0);
        let mut computed: Vec<usize> = Vec::new();
        let mut members = Vec::new();
        for (site, step) in sites.iter().zip(steps) {
            let inside = step.operands.iter().map(|operand| computed.contains(&operand.slot)).collect();
            let does = does(site, accesses)?;
            match &does {
                Does::Store(.., place) => count = find::tile(site, *place).count,
                _ => computed.push(step.results),
            }
            accesses += usize::from(!matches!(does, Does::Compute));
            members.push(Member { step, does, inside });
        }
        Ok(Chain { members, count })
    }

    /// The rows that each op accesses, if it makes no difference whether the ops run on strips.
    fn rows(&self, machine: &mut Machine<'_>) -> Option<Vec<Rows>> {
        let mut all: Vec<(Rows, Use)> = Vec::new();
        for member in &self.members {
            let (find, access) = match &member.does {
                Does::Load(_, find, _) => (find, Use::Read),
                Does::Store(_, find, ..) => (find, Use::Write),
                Does::Compute => continue,
            };
            // What the chain computes says nothing about where.
            let inputs: Vec<Value> =
                member.step.operands.iter().map(|operand| machine.values[operand.slot].share()).collect();
            let rows = find(&inputs)?;
            // What is stored must not move under a load, or a store, of other elements.
            let meets = |(other, used): &(Rows, Use)| {
                (access == Use::Write || *used == Use::Write) && !rows.are_apart(other) && rows != *other
            };
            let in_order = access == Use::Read || rows.ascend();
            if !in_order || !rows.lie_inside(&machine.context.memory, access) || all.iter().any(meets) {
                return None;
            }
            all.push((rows, access));
        }
        Some(all.into_iter().map(|(rows, _)| rows).collect())
    }

    /// Runs the ops.
    pub(super) fn run(&self, machine: &mut Machine<'_>) -> Run<()> {
        machine.progress.ops += self.members.len() as u64 - 1;
        let Some(rows) = self.rows(machine) else {
            return self.members.iter().try_for_each(|member| machine.kernel(&member.step));
        };
        let mut strips = Strips { rows: &rows, spare: Vec::new() };
        for start in (0..self.count).step_by(STRIP) {
            let strip = start..(start + STRIP).min(self.count);
            for member in &self.members {
                let outcome = member.run(machine, &mut strips, &strip);
                machine.check(&member.step, outcome)?;
            }
        }
        for operand in self.members.iter().flat_map(|member| &member.step.operands).filter(|operand| operand.last) {
            machine.values[operand.slot] = Value::Token;
        }
        Ok(())
    }
}

/// What an op does, where so many before it access memory.
fn does(site: &Site<'_>, accesses: usize) -> Outcome<Does> {
    if let Some(place) = find::stored(site) {
        let kind = find::tile(site, place).kind;
        if let Some(rows) = rows::of(site, kind)? {
            return Ok(Does::Store(kind, rows, accesses, place));
        }
    }
    let kind = site.result(0).kind;
    Ok(rows::of(site, kind)?.map_or(Does::Compute, |rows| Does::Load(kind, rows, accesses)))
}

/// What the strips of one run share.
struct Strips<'r> {
    /// Where each op that accesses memory does.
    rows: &'r [Rows],
    /// Strips that nobody needs any longer, for loads to fill. There are never more than there are loads.
    spare: Vec<Tile>,
}

impl Strips<'_> {
    /// Keeps a strip, if nobody else holds it.
    fn keep(&mut self, value: Value, count: usize) {
        match value {
            Value::Tile(tile) if self.spare.len() < self.rows.len() && tile.stored() == count && !tile.is_shared() => {
                self.spare.push(tile);
            }
            _ => {}
        }
    }

    /// A strip of so many elements, whatever they are.
    fn take<T: Word>(&mut self, kind: Kind, count: usize) -> Tile {
        let fits = |tile: &Tile| tile.kind() == kind && tile.stored() == count;
        match self.spare.iter().position(fits) {
            Some(place) => self.spare.swap_remove(place),
            None => T::tile(vector::<T>(count)),
        }
    }
}

impl Member {
    fn run(&self, machine: &mut Machine<'_>, strips: &mut Strips<'_>, strip: &Range<usize>) -> Outcome<()> {
        match &self.does {
            &Does::Load(kind, _, rows) => {
                let tile = load(&machine.context.memory, kind, rows, strip, strips)?;
                machine.values[self.step.results] = tile.into();
            }
            &Does::Store(kind, _, rows, place) => {
                let value = self.operand(machine, place, strip);
                store(&machine.context.memory, kind, &strips.rows[rows], strip, value.tile())?;
                strips.keep(value, strip.len());
            }
            Does::Compute => {
                let Action::Kernel(kernel) = &self.step.action else { return Ok(()) };
                machine.inputs.clear();
                for place in 0..self.step.operands.len() {
                    let value = self.operand(machine, place, strip);
                    machine.inputs.push(value);
                }
                kernel(&mut machine.context, &mut machine.inputs, &mut machine.outputs)?;
                machine.values[self.step.results] = machine.outputs.pop().unwrap_or(Value::Token);
                machine.inputs.drain(..).for_each(|value| strips.keep(value, strip.len()));
            }
        }
        Ok(())
    }

    /// The strip of an operand.
    fn operand(&self, machine: &mut Machine<'_>, place: usize, strip: &Range<usize>) -> Value {
        let operand = self.step.operands[place];
        if self.inside[place] {
            return fetch(&mut machine.values, operand);
        }
        let tile = machine.values[operand.slot].tile();
        if tile.stored() == 1 {
            return tile.clone().into();
        }
        with_kind!(tile.kind(), T => {
            let mut part = vector::<T>(strip.len());
            part.copy_from_slice(&T::of(tile)[strip.clone()]);
            T::tile(part).into()
        })
    }
}

fn load(memory: &Memory, kind: Kind, rows: usize, strip: &Range<usize>, strips: &mut Strips<'_>) -> Outcome<Tile> {
    with_kind!(kind, T => {
        let mut tile = strips.take::<T>(kind, strip.len());
        let (out, mut nearby) = (T::of_mut(&mut tile), memory.nearby());
        let read = |from: usize, address, count| nearby.read_row(address, &mut out[from..][..count]);
        strips.rows[rows].pieces(strip.clone(), read)?;
        Ok(tile)
    })
}

fn store(memory: &Memory, kind: Kind, rows: &Rows, strip: &Range<usize>, value: &Tile) -> Outcome<()> {
    with_kind!(kind, T => {
        let elements = full(T::of(value), strip.len());
        let mut nearby = memory.nearby();
        rows.pieces(strip.clone(), |from, address, count| nearby.write_row(address, &elements[from..][..count]))
    })
}
