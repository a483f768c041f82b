//! Ops that load tiles, compute with them element by element and store what comes out, done in strips: each strip is loaded,
//! computed and stored before the next one. Whole tiles would be loaded one after another, but memory is faster where it
//! is read in several places at the same time, and a strip stays in the nearest cache.
//!
//! A chain is such ops that stand one behind the other, where nobody else reads what they compute. It runs in strips if its
//! tiles lie in memory row by row. Otherwise, and where anything is wrong, its ops run one by one and tell what it is.

use super::access::Use;
use super::cells::Cells;
use super::machine::Machine;
use super::memory::Memory;
use super::ops::strip::{self, Find, Lanes, Part, Rows};
use super::plan::{Action, Plan, Step};
use super::reuse::{give_back, vector};
use super::site::{Site, Tiled};
use super::tile::Word;
use super::value::Value;
use rustc_hash::FxHashMap;
use std::ops::Range;
use tile_analysis::ir::{Body, Module, OpId};

/// Ops that run together.
pub(crate) struct Chain {
    /// The ops as they stand in the text.
    pub(crate) steps: Vec<Step>,
    /// The loads, and the store behind them.
    accesses: Vec<Access>,
    links: Vec<Link>,
    /// The values from outside, each the same for all elements, and the strips they fill.
    outside: Vec<(usize, usize)>,
    /// How many strips there are.
    strips: usize,
}

/// A load or a store.
pub(super) struct Access {
    /// The place of its op in the chain.
    step: usize,
    find: Find,
    pub(super) usage: Use,
    /// The strip that is loaded or stored.
    strip: usize,
}

/// An op that computes a strip from others.
struct Link {
    lanes: Lanes,
    /// The strips that it reads; where they are fewer the first one stands for the others.
    operands: [usize; 3],
    result: usize,
}

/// The elements of a strip of a long row: a few strips fit into the nearest cache.
const STRIP: usize = 512;
/// The most elements of a strip of several short rows.
const SEVERAL: usize = 2048;
/// How far strips lie apart: where it is a multiple of a page, the processor takes accesses to two of them for accesses to
/// the same memory.
const APART: usize = SEVERAL + 64;
/// The elements of a cache line, with which strips begin.
const LINE: usize = 16;

/// Makes chains of the steps of a plan, where there are any.
pub(crate) fn link(plan: &mut Plan, module: &Module, body: &Body) {
    let mut readers: FxHashMap<usize, usize> = FxHashMap::default();
    let operands = plan.regions.iter().flat_map(|region| &region.steps).flat_map(|step| &step.operands);
    operands.for_each(|operand| *readers.entry(operand.slot).or_default() += 1);
    let is_read_by = |slot: usize, count: usize| readers.get(&slot).copied().unwrap_or(0) == count;
    for region in &mut plan.regions {
        let mut begin = 0;
        while begin < region.steps.len() {
            if let Some((mut chain, count)) = Draft::default().chain(&region.steps[begin..], module, body, &is_read_by)
            {
                chain.steps = region.steps.drain(begin..begin + count).collect();
                region.steps.insert(begin, chain.into_step());
            }
            begin += 1;
        }
    }
}

/// A chain that may come to be.
#[derive(Default)]
struct Draft {
    accesses: Vec<Access>,
    links: Vec<Link>,
    outside: Vec<(usize, usize)>,
    /// The strip of each value, and how often it has been read.
    strips: FxHashMap<usize, (usize, usize)>,
}

impl Draft {
    /// The chain that begins with the first of some steps, and how many of them it has.
    fn chain(
        mut self,
        steps: &[Step],
        module: &Module,
        body: &Body,
        is_read_by: &impl Fn(usize, usize) -> bool,
    ) -> Option<(Chain, usize)> {
        for (place, step) in steps.iter().enumerate() {
            let site = Site { module, body, op: body.op(step.op), id: step.op, sanitize: false, unseen: true };
            match strip::part(&site)? {
                Part::Load(find) => {
                    let strip = self.add(step.results);
                    self.accesses.push(Access { step: place, find, usage: Use::Read, strip });
                }
                Part::Compute(_) if self.accesses.is_empty() => return None,
                Part::Compute(lanes) => {
                    let read: Vec<usize> = step.operands.iter().map(|operand| self.read(operand.slot)).collect();
                    let operands = [0, 1, 2].map(|index| read.get(index).copied().unwrap_or(read[0]));
                    let result = self.add(step.results);
                    self.links.push(Link { lanes, operands, result });
                }
                Part::Store(find, value) => {
                    let value = step.operands[value].slot;
                    if !self.strips.contains_key(&value) {
                        return None;
                    }
                    let strip = self.read(value);
                    let outside: Vec<usize> = self.outside.iter().map(|(slot, _)| *slot).collect();
                    let mut inside = self.strips.iter().filter(|(slot, _)| !outside.contains(slot));
                    if !inside.all(|(slot, (_, read))| is_read_by(*slot, *read)) {
                        return None;
                    }
                    self.accesses.push(Access { step: place, find, usage: Use::Write, strip });
                    let Draft { accesses, links, outside, strips } = self;
                    return Some((Chain { steps: vec![], accesses, links, outside, strips: strips.len() }, place + 1));
                }
            }
        }
        None
    }

    fn add(&mut self, slot: usize) -> usize {
        let strip = self.strips.len();
        self.strips.insert(slot, (strip, 0));
        strip
    }

    /// The strip of a value that is read.
    fn read(&mut self, slot: usize) -> usize {
        if !self.strips.contains_key(&slot) {
            let strip = self.add(slot);
            self.outside.push((slot, strip));
        }
        self.strips.get_mut(&slot).map_or(0, |(strip, read)| {
            *read += 1;
            *strip
        })
    }
}

/// Where the rows of a tile lie in memory.
struct Place<'a> {
    cells: &'a Cells,
    start: usize,
    rows: Rows,
}

/// What a chain reaches.
pub(super) struct Reached {
    /// The values from outside, and the strips they fill.
    outside: Vec<(f32, usize)>,
    /// The rows of each access.
    rows: Vec<Rows>,
}

/// A chain, and where the rows of its accesses lie.
pub(super) struct Found<'a> {
    chain: &'a Chain,
    places: Vec<Place<'a>>,
    outside: &'a [(f32, usize)],
}

impl Chain {
    fn into_step(self) -> Step {
        Step {
            op: self.steps[0].op,
            operands: [].into(),
            results: 0,
            result_count: 0,
            movable: false,
            action: Action::Chain(Box::new(self)),
            takes_even: true,
            check: None,
        }
    }

    /// Runs all ops in strips, if that is possible. Otherwise nothing has happened.
    pub(super) fn run(&self, machine: &mut Machine<'_>) -> Option<()> {
        let Machine { values, inputs, context, .. } = machine;
        let reached =
            self.reach(values, |access, values| self.rows(access, inputs, |slot| Some(values[slot].share())))?;
        self.find(&reached, &context.memory)?.run();
        Some(())
    }

    /// What it computes with and where, if that is possible: `rows` finds the rows of each access.
    pub(super) fn reach(
        &self,
        values: &mut [Value],
        mut rows: impl FnMut(&Access, &mut [Value]) -> Option<Rows>,
    ) -> Option<Reached> {
        let same = |&(slot, strip): &(usize, usize)| match f32::of(values[slot].tile()) {
            &[all] => Some((all, strip)),
            _ => None,
        };
        let outside = self.outside.iter().map(same).collect::<Option<_>>()?;
        let rows = self.accesses.iter().map(|access| rows(access, values)).collect::<Option<_>>()?;
        Some(Reached { outside, rows })
    }

    /// The rows of an access whose operands have these values.
    pub(super) fn rows(
        &self,
        access: &Access,
        inputs: &mut Vec<Value>,
        mut value: impl FnMut(usize) -> Option<Value>,
    ) -> Option<Rows> {
        inputs.clear();
        for operand in &self.steps[access.step].operands {
            inputs.push(value(operand.slot)?);
        }
        (access.find)(inputs)
    }

    /// The accesses as they stand in the text: their ops, and the rows of each.
    pub(super) fn accesses<'a>(&'a self, reached: &'a Reached) -> impl Iterator<Item = (OpId, Rows)> + 'a {
        self.accesses.iter().zip(&reached.rows).map(|(access, rows)| (self.steps[access.step].op, *rows))
    }

    /// Finds the rows in memory, if they can be cut into strips.
    pub(super) fn find<'a>(&'a self, reached: &'a Reached, memory: &'a Memory) -> Option<Found<'a>> {
        let Reached { outside, rows } = reached;
        let joined = rows.iter().all(Rows::touch);
        let mut nearby = memory.nearby();
        let place = |(rows, access): (&Rows, &Access)| {
            let rows = if joined { rows.joined() } else { *rows };
            let (cells, start) = nearby.rows::<f32>(&rows, access.usage)?;
            Some(Place { cells, start, rows })
        };
        let places = rows.iter().zip(&self.accesses).map(place).collect::<Option<Vec<_>>>()?;
        let (stored, loaded) = places.split_last()?;
        let fits = loaded.iter().all(|loaded| loaded.goes_with(stored));
        fits.then_some(Found { chain: self, places, outside })
    }

    /// The elements that it stores.
    pub(super) fn count(&self, body: &Body) -> usize {
        let store = self.accesses.last().map(|access| &self.steps[access.step]);
        let tiles = store.into_iter().flat_map(|step| body.operands(body.op(step.op)));
        tiles.map(|value| Tiled::of(body.ty(*value)).count).max().unwrap_or(1)
    }
}

impl Found<'_> {
    /// Runs all ops in strips.
    pub(super) fn run(&self) {
        let mut memory = vector::<f32>(self.chain.strips * APART + LINE);
        let aligned = memory.as_ptr().align_offset(LINE * f32::BYTES).min(LINE);
        let mut strips: Vec<&mut [f32]> = memory[aligned..].chunks_exact_mut(APART).collect();
        self.outside.iter().for_each(|&(all, strip)| strips[strip].fill(all));
        let Some(&Place { rows: Rows { rows, count, .. }, .. }) = self.places.last() else { return };
        let together = if count < STRIP { SEVERAL / count } else { 1 };
        for first in (0..rows).step_by(together) {
            for begin in (0..count).step_by(STRIP) {
                let part = begin..count.min(begin + STRIP);
                self.strip(first..rows.min(first + together), part, &mut strips);
            }
        }
        give_back(memory);
    }

    /// Loads, computes and stores a part of some rows.
    fn strip(&self, rows: Range<usize>, part: Range<usize>, strips: &mut [&mut [f32]]) {
        let Found { chain: Chain { accesses, links, .. }, places, .. } = self;
        let (length, count) = (part.len(), rows.len() * part.len());
        let (stores, loads) = (accesses.len() - 1, &accesses[..accesses.len() - 1]);
        // Rows that lie apart are not foreseen by the processor.
        if rows.len() > 1 {
            let each = |place: &Place<'_>| {
                rows.clone().for_each(|row| place.cells.touch(place.at(row, part.start), length * f32::BYTES))
            };
            places[..stores].iter().for_each(each);
        }
        for (access, place) in loads.iter().zip(places) {
            let parts = strips[access.strip].chunks_exact_mut(length);
            rows.clone().zip(parts).for_each(|(row, into)| place.cells.read_row(place.at(row, part.start), into));
        }
        for link in links {
            let result = std::mem::take(&mut strips[link.result]);
            (link.lanes)(&mut result[..count], link.operands.map(|strip| &strips[strip][..count]));
            strips[link.result] = result;
        }
        let (place, parts) = (&places[stores], strips[accesses[stores].strip].chunks_exact(length));
        rows.zip(parts).for_each(|(row, from)| place.cells.write_row(place.at(row, part.start), from));
    }
}

impl Place<'_> {
    /// The offset of an element.
    fn at(&self, row: usize, index: usize) -> usize {
        self.start + row * self.rows.step as usize + index * f32::BYTES
    }

    fn shares(&self, other: &Place<'_>) -> bool {
        std::ptr::eq(self.cells, other.cells)
    }

    /// Whether strips of it may be loaded between those that are stored: it is cut like them, and lies elsewhere or
    /// exactly there.
    fn goes_with(&self, stored: &Place<'_>) -> bool {
        let (own, other) = (&self.rows, &stored.rows);
        let is_cut_alike = (own.rows, own.count) == (other.rows, other.count);
        let is_same = (self.start, own.step) == (stored.start, other.step);
        let overlaps_itself = own.rows > 1 && own.step < (own.count * f32::BYTES) as u64;
        is_cut_alike && (!self.shares(stored) || is_same && !overlaps_itself)
    }
}
