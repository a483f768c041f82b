//! The sanitizer: it watches a run for what the language leaves undefined although nothing goes wrong at once.
//!
//! Every value has a mark: which elements of a tile are unspecified, and what comes before a token. Every piece of
//! memory has a cell: who accessed it last. Before an op runs, its check looks at both, finds what must not be, and
//! marks the results. Tile blocks and ops run in one order, but what a mark or a cell says holds for all orders that
//! the program allows.
//!
//! - `mark`, `carry`: unspecified elements, and how they pass through ops;
//! - `clock`, `cells`, `access`: what comes before what, who accessed which memory, and which accesses collide.

mod access;
mod carry;
mod cells;
mod clock;
mod mark;

use super::access::Use;
use super::fold::Fold;
use super::kernel::{Context, Kernel, Outcome};
use super::memory::Memory;
use super::ops::reach::Span;
use super::plan::{Operand, Step};
use super::site::{Site, Tiled};
use super::tile::Word;
use super::value::Value;
use crate::findings::{Fault, race, unordered_accesses, unspecified_value};
use access::{Access, Judge, Need};
use carry::Carry;
use cells::{Cells, Row};
use clock::{Clock, Event, EventId, Events};
use mark::{Mark, Origin, Reason};
use rustc_hash::FxHashMap;
use tile_analysis::ir::OpId;
use tile_analysis::types::Type;
use tile_dialect::{Class, Effect};

/// What is checked before an op runs, and how it marks its results.
pub(crate) struct Check {
    /// Operands that must be specified as a whole.
    whole: Vec<Need>,
    does: Does,
    /// How many results there are, and which of them are tokens.
    tokens: Vec<bool>,
}

enum Does {
    /// It accesses memory.
    Access(Box<Access>),
    /// It computes.
    Carry(Carry),
}

impl Check {
    /// The check of an op that has a kernel.
    pub(crate) fn of(site: &Site<'_>) -> Outcome<Check> {
        let row = site.op.op.row();
        let access = Access::of(site)?;
        let makes_view = row.results.iter().any(|result| result.class == Class::TensorView);
        let demands_all = access.is_none() && (row.effect == Effect::Memory || makes_view);
        let mut whole = Vec::new();
        for operand in row.operands {
            let (place, count) = site.group(operand.name);
            let purpose = match operand.name {
                "mask" if access.is_some() => "uses an unspecified mask",
                "index" | "indices" => "uses an unspecified index",
                _ if demands_all => "uses an unspecified value",
                _ => continue,
            };
            let values = &site.body.operands(site.op)[place..place + count];
            whole.extend(values.iter().zip(place..).map(|(&value, place)| {
                let shape = Tiled::of(site.body.ty(value)).shape;
                Need { place, purpose, shape }
            }));
        }
        let does = match access {
            Some(access) => Does::Access(Box::new(access)),
            None => Does::Carry(Carry::of(site)),
        };
        let tokens = site.body.results(site.op).map(|value| site.body.ty(value) == Type::token()).collect();
        Ok(Check { whole, does, tokens })
    }
}

/// What watches over one launch.
pub(crate) struct Sanitizer {
    /// The marks of all values, by number.
    marks: Vec<Mark>,
    /// The marks of what a region hands on.
    handed: Vec<Mark>,
    /// How many reductions and scans run. Nothing is marked inside: their results are marked as a whole.
    inside: u32,
    /// The tile blocks that have begun.
    blocks: Vec<[u32; 3]>,
    events: Events,
    cells: Cells,
    /// What was released to an address.
    released: FxHashMap<u64, Clock>,
    /// Allocations from this number on are scratch memory.
    scratch: usize,
    spans: Vec<Span>,
}

impl Sanitizer {
    /// For a launch of an entry with so many values, whose buffers and globals are in `memory`.
    pub(crate) fn new(values: usize, memory: &Memory) -> Sanitizer {
        Sanitizer {
            marks: vec![Mark::Clean; values],
            handed: Vec::new(),
            inside: 0,
            blocks: Vec::new(),
            events: Events::default(),
            cells: Cells::default(),
            released: FxHashMap::default(),
            scratch: memory.mark(),
            spans: Vec::new(),
        }
    }

    /// A tile block begins.
    pub(crate) fn begin(&mut self, block: [u32; 3]) {
        self.blocks.push(block);
        self.handed.clear();
    }

    /// Scratch memory from this allocation on is freed.
    pub(crate) fn release(&mut self, mark: usize) {
        self.cells.release(mark.max(self.scratch));
    }

    /// Operands are handed on.
    pub(crate) fn hand(&mut self, operands: &[Operand]) {
        if self.inside == 0 {
            self.handed.clear();
            self.handed.extend(operands.iter().map(|operand| self.marks[operand.slot].clone()));
        }
    }

    /// What was handed on becomes the values with these numbers, all but the first so many, which are new.
    pub(crate) fn take(&mut self, slots: impl Iterator<Item = usize>, new: usize) {
        if self.inside > 0 {
            return;
        }
        let mut handed = std::mem::take(&mut self.handed);
        let mut marks = std::iter::repeat_n(Mark::Clean, new).chain(handed.drain(..));
        slots.for_each(|slot| self.marks[slot] = marks.next().unwrap_or_default());
        drop(marks);
        self.handed = handed;
    }

    /// Control depends on operands.
    pub(crate) fn decide(&self, operands: &[Operand], purpose: &'static str) -> Outcome<()> {
        let found = operands.iter().find_map(|operand| self.marks[operand.slot].first());
        match found.filter(|_| self.inside == 0) {
            Some((index, origin)) => Err(unspecified(purpose, index, &[], origin)),
            None => Ok(()),
        }
    }

    /// A reduction or a scan begins.
    pub(crate) fn fold(&mut self, step: &Step, fold: &Fold) {
        if self.inside == 0 {
            let marks: Vec<Mark> = step.operands.iter().map(|operand| self.marks[operand.slot].clone()).collect();
            let mark = carry::fold(fold, &marks);
            (step.results..).take(step.operands.len()).for_each(|slot| self.marks[slot] = mark.clone());
        }
        self.inside += 1;
    }

    /// A reduction or a scan is over.
    pub(crate) fn folded(&mut self) {
        self.inside -= 1;
    }

    /// An op is about to run.
    pub(crate) fn before(
        &mut self,
        step: &Step,
        check: &Check,
        kernel: &Kernel,
        inputs: &[Value],
        context: &mut Context<'_>,
    ) -> Outcome<()> {
        if self.inside > 0 {
            return Ok(());
        }
        for need in &check.whole {
            if let Some((index, origin)) = self.mark(step, need.place).first() {
                return Err(unspecified(need.purpose, index, &need.shape, origin));
            }
        }
        let before = self.clock(step);
        let (tile, token) = match &check.does {
            Does::Carry(carry) => (self.carry(step, carry, kernel, inputs, context)?, before),
            Does::Access(access) => self.access(step, access, before, inputs, &context.memory)?,
        };
        for (slot, &is_token) in (step.results..).zip(&check.tokens) {
            self.marks[slot] = if is_token { Mark::Token(token.clone()) } else { tile.clone() };
        }
        Ok(())
    }

    fn mark(&self, step: &Step, place: usize) -> &Mark {
        &self.marks[step.operands[place].slot]
    }

    /// What comes before an op: whatever its tokens say.
    fn clock(&self, step: &Step) -> Clock {
        let clocks = step.operands.iter().filter_map(|operand| self.marks[operand.slot].clock());
        clocks.fold(Clock::default(), |all, clock| all.join(clock))
    }

    fn carry(
        &self,
        step: &Step,
        carry: &Carry,
        kernel: &Kernel,
        inputs: &[Value],
        context: &mut Context<'_>,
    ) -> Outcome<Mark> {
        let marked = |operand: &Operand| self.marks[operand.slot].origins().is_some();
        if !step.operands.iter().any(marked) {
            return Ok(Mark::Clean);
        }
        let mark = |place| self.mark(step, place);
        Ok(match carry {
            Carry::Each => (0..step.operands.len()).fold(Mark::Clean, |all, place| all.or(mark(place))),
            Carry::Select => carry::select(inputs[0].tile(), [0, 1, 2].map(mark)),
            Carry::Product(product) => product.mark(&|place| mark(place).clone()),
            Carry::Bits(from, to) => carry::bits(*from, *to, mark(0)),
            Carry::Move(places) => {
                let mut marks = inputs.to_vec();
                places.iter().for_each(|&place| marks[place] = mark(place).tile().into());
                let mut results = Vec::new();
                kernel(context, &mut marks, &mut results)?;
                results.first().map_or(Mark::Clean, |origins| Mark::of(origins.tile().clone()))
            }
        })
    }

    fn access(
        &mut self,
        step: &Step,
        access: &Access,
        before: Clock,
        inputs: &[Value],
        memory: &Memory,
    ) -> Outcome<(Mark, Clock)> {
        let mut spans = std::mem::take(&mut self.spans);
        spans.clear();
        // The kernel says what is wrong with indices outside the tensor.
        if (access.reached.list)(inputs, &mut spans).is_err() {
            return Ok((Mark::Clean, before));
        }
        for need in &access.parts {
            self.need(need, self.mark(step, need.place), &spans)?;
        }
        let before = if access.acquires { self.acquire(before, &spans) } else { before };
        let block = self.blocks.len() as u32 - 1;
        let event = |link| Event { link, op: step.op, block, writes: access.writes, strength: access.strength };
        let Some((id, after)) = self.events.add(&before, event) else { return Ok((Mark::Clean, before)) };
        let unwritten = self.record(access, &spans, id, &before, memory)?;
        if access.releases {
            self.publish(&after, &spans);
        }
        let mark = if access.reads { self.loaded(step, access, &spans, &unwritten) } else { Mark::Clean };
        self.spans = spans;
        Ok((mark, after))
    }

    /// Elements that take part must be specified.
    fn need(&self, need: &Need, mark: &Mark, spans: &[Span]) -> Outcome<()> {
        if mark.origins().is_none() {
            return Ok(());
        }
        let places = spans.iter().flat_map(|span| span.place..span.place + span.count);
        for place in places {
            if let Some(origin) = mark.at(place) {
                return Err(unspecified(need.purpose, place, &need.shape, origin));
            }
        }
        Ok(())
    }

    /// Records an access in the cells of its memory. Gives the places of elements that nobody wrote.
    fn record(
        &mut self,
        access: &Access,
        spans: &[Span],
        id: EventId,
        before: &Clock,
        memory: &Memory,
    ) -> Outcome<Vec<usize>> {
        let Some(first) = spans.first() else { return Ok(Vec::new()) };
        let size = access.reached.size;
        let mut unwritten = Vec::new();
        if access.reads && memory.below(first.address).is_some_and(|index| index >= self.scratch) {
            for span in spans {
                let mut visit = |address: u64, piece: usize, cells: &mut [cells::Cell]| -> Result<(), ()> {
                    let nobody = cells.iter().enumerate().filter(|(_, cell)| cell.write == 0);
                    let distance = |index: usize| (address - span.address) as usize + index * piece;
                    unwritten.extend(nobody.map(|(index, _)| span.place + distance(index) / span.step as usize));
                    Ok(())
                };
                // The visitor lets nothing fail.
                let _ = self.cells.visit(memory, Row::of(span, size), false, &mut visit);
            }
        }
        let mut judge = Judge::new(&self.events, before, id);
        let mut visit = |address: u64, piece: usize, cells: &mut [cells::Cell]| {
            let place = |index: usize| address + (index * piece) as u64;
            judge.record(cells).map_err(|(index, earlier)| (earlier, place(index)))
        };
        let found = cells::rows(spans, size, &mut |row| self.cells.visit(memory, row, true, &mut visit));
        found.map_err(|(earlier, address)| self.collision(earlier, id, address, memory))?;
        Ok(unwritten)
    }

    fn collision(&self, earlier: EventId, now: EventId, address: u64, memory: &Memory) -> Box<Fault> {
        let (earlier, now) = (self.events.get(earlier), self.events.get(now));
        let place = memory.element_at(address);
        let verb = |event: &Event| if event.writes { Use::Write } else { Use::Read };
        if earlier.block == now.block {
            unordered_accesses::fault(&place, verb(now), verb(earlier), earlier.op)
        } else {
            let block = self.blocks[earlier.block as usize];
            race::fault(&place, verb(now), verb(earlier), earlier.op, block)
        }
    }

    /// What comes before an access that acquires.
    fn acquire(&self, before: Clock, spans: &[Span]) -> Clock {
        if self.released.is_empty() {
            return before;
        }
        let clocks = addresses(spans).filter_map(|address| self.released.get(&key(address)));
        clocks.fold(before, |all, clock| all.join(clock))
    }

    /// Leaves what comes before for whoever acquires.
    fn publish(&mut self, after: &Clock, spans: &[Span]) {
        for address in addresses(spans) {
            let released = self.released.entry(key(address)).or_default();
            *released = released.join(after);
        }
    }

    /// The mark of a tile that was loaded.
    fn loaded(&self, step: &Step, access: &Access, spans: &[Span], unwritten: &[usize]) -> Mark {
        let count: usize = access.reached.extents.iter().product();
        let taken: usize = spans.iter().map(|span| span.count).sum();
        let mut mark = Mark::Clean;
        if taken < count {
            let mut loaded = vec![false; count];
            spans.iter().for_each(|span| loaded[span.place..][..span.count].fill(true));
            let missing = access.missing.map_or(0, |reason| Origin { op: step.op, reason }.code());
            let fill = access.fill.map_or(Mark::Clean, |place| self.mark(step, place).clone());
            mark = access::loaded(fill, missing, &loaded);
        }
        if unwritten.is_empty() {
            return mark;
        }
        let mut origins = vec![0; count];
        let origin = Origin { op: step.op, reason: Reason::NeverWritten }.code();
        unwritten.iter().for_each(|&place| origins[place] = origin);
        mark.or(&Mark::of(u32::tile(origins)))
    }
}

/// All addresses that spans name.
fn addresses(spans: &[Span]) -> impl Iterator<Item = u64> + '_ {
    spans.iter().flat_map(|span| (0..span.count as u64).map(|index| span.address.wrapping_add(index * span.step)))
}

/// Where something is released: accesses of different sizes meet at the eight bytes that they share.
fn key(address: u64) -> u64 {
    address & !7
}

fn unspecified(purpose: &str, index: usize, shape: &[i64], origin: Origin) -> Box<Fault> {
    let source: (OpId, &str) = match origin.reason {
        Reason::Masked => (origin.op, "the mask leaves this element out, and there is no padding value"),
        Reason::Outside => (origin.op, "this element lies outside the tensor, and the view has no padding value"),
        Reason::NeverWritten => (origin.op, "this element is read from scratch memory that nobody wrote before"),
    };
    unspecified_value::fault(purpose, index, shape, source)
}
