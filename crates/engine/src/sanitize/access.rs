//! Memory accesses of ops: the operands that must be specified, the unspecified results, and the required ordering.

use crate::memory::Memory;
use crate::ops::context::{OpContext, Tiled};
use crate::ops::kernel::OpResult;
use crate::ops::multimem;
use crate::ops::reach;
use crate::ops::reach::Reached;
use crate::sanitize::clock::{Event, EventId, Events, Strength};
use crate::sanitize::lists::{ListId, Lists};
use crate::sanitize::past::Past;
use crate::sanitize::shadow_memory::ShadowCell;
use crate::sanitize::shadow_value::{Reason, Shadow};
use crate::values::tile::Tile;
use tile_analysis::ir::Body;
use tile_analysis::types::Type;
use tile_dialect::{AttrName, Class, MEMORY_SCOPE, Mnemonic, OperandName, ordering, rmw_mode};

/// The access of an op, as far as it is known statically.
pub(crate) struct Access {
    pub(crate) reached: Reached,
    /// Whether it returns the contents of memory.
    pub(crate) reads: bool,
    /// Whether it changes memory.
    pub(crate) writes: bool,
    pub(crate) strength: Strength,
    /// Whether it acquires what other tile blocks released. If its result is not used, the program behaves the same
    /// when the other blocks have not released anything yet, so it cannot rely on them.
    pub(crate) acquires: bool,
    /// Whether it would acquire, but its result is not used.
    pub(crate) is_acquire_unused: bool,
    /// Whether it releases to other tile blocks.
    pub(crate) releases: bool,
    /// Whether it can precede another access: an op uses its token, or another tile block acquires what it releases.
    pub(crate) awaited: bool,
    /// Whether its elements are accessed atomically.
    pub(crate) atomic: bool,
    /// Whether the elements that it writes depend on the previous ones.
    pub(crate) combines: bool,
    /// Whether it accesses all replicas, through an address of their multicast object.
    pub(crate) multicast: bool,
    /// The stored tile: its operand index and its type.
    pub(crate) stored: Option<(usize, Tiled)>,
    /// The operand that a compare-and-swap compares memory with, by index.
    pub(crate) compared: Option<usize>,
    /// Operands of which only the unmasked elements must be specified.
    pub(crate) parts: Vec<Need>,
    /// The operand that provides the elements of the result that are not loaded.
    pub(crate) fill: Option<usize>,
    /// Why an element that is not loaded is unspecified; `None` if it has a value.
    pub(crate) missing: Option<Reason>,
}

/// An operand that must be specified.
pub(crate) struct Need {
    pub(crate) place: usize,
    /// The message for a violation.
    pub(crate) purpose: &'static str,
    pub(crate) shape: Box<[i64]>,
}

impl Access {
    /// The access of an op; `None` if it has none, according to its row.
    pub(crate) fn of(cx: &OpContext<'_>) -> OpResult<Option<Access>> {
        let row = cx.op.op.row();
        if row.attr(AttrName::MemoryOrderingSemantics).is_none() {
            return Ok(None);
        }
        let Some(reached) = reach::of(cx)? else { return Ok(None) };
        let order = cx.choice(AttrName::MemoryOrderingSemantics);
        let scope = cx.attr(AttrName::MemoryScope).as_enum();
        let block_only = scope.is_some_and(|scope| MEMORY_SCOPE.keyword(scope) == "tl_blk");
        let fill = cx.optional(OperandName::PaddingValue).or_else(|| cx.optional(OperandName::Cmp));
        let stored = |operand: &&tile_dialect::OperandRow| operand.class == Class::Tile;
        let through_view = row.operands.iter().any(|operand| operand.class == Class::TileView);
        let missing = if through_view { Reason::Outside } else { Reason::Masked };
        let value = row.operands.iter().position(|operand| stored(&operand));
        let stored_tile = value.map(|index| (cx.place(index), cx.operand(index)));
        let parts = row.operands.iter().enumerate();
        let parts = parts.filter(|(_, operand)| operand.class == Class::Pointers || stored(operand));
        let parts = parts.map(|(index, operand)| Need::of(cx, index, operand.class)).collect();
        let releases = !block_only && matches!(order, ordering::RELEASE | ordering::ACQ_REL);
        let tokens = cx.body.results(cx.op).filter(|value| cx.body.ty(*value) == Type::token());
        let is_acquire = !block_only && matches!(order, ordering::ACQUIRE | ordering::ACQ_REL);
        let result = cx.body.results(cx.op).next().filter(|&value| cx.body.ty(value) != Type::token());
        let is_result_used = result.is_some_and(|value| is_used(cx.body, value.0..value.0 + 1));
        let awaited = releases || tokens.into_iter().any(|token| is_used(cx.body, token.0..token.0 + 1));
        Ok(Some(Access {
            awaited,
            releases,
            reads: row.results.iter().any(|result| result.class == Class::Tile),
            writes: row.operands.iter().any(|operand| stored(&operand)),
            strength: match (order, block_only) {
                (ordering::WEAK, _) => Strength::Weak,
                (_, true) => Strength::Block,
                _ => Strength::Device,
            },
            acquires: is_acquire && is_result_used,
            is_acquire_unused: is_acquire && !is_result_used,
            compared: (cx.op.op == Mnemonic::AtomicCasTko).then(|| cx.place(OperandName::Cmp)),
            atomic: row.attr(AttrName::Mode).is_some()
                || matches!(cx.op.op, Mnemonic::AtomicCasTko | Mnemonic::MultimemReduceViewTko),
            combines: cx.op.op == Mnemonic::AtomicCasTko
                || row.attr(AttrName::Mode).is_some() && cx.choice(AttrName::Mode) != rmw_mode::XCHG,
            multicast: multimem::is_multimem(cx.op.op),
            stored: stored_tile,
            missing: (fill.is_none() && !reached.padded).then_some(missing),
            reached,
            parts,
            fill,
        }))
    }
}

impl Access {
    /// Whether a compare-and-swap will change the element.
    pub(crate) fn changes(&self, compared: &Tile, place: usize, address: u64, memory: &Memory) -> bool {
        memory.bits_at(address, self.reached.size).is_none_or(|bits| bits == compared.bits(place))
    }
}

impl Need {
    fn of(cx: &OpContext<'_>, operand: usize, class: Class) -> Need {
        let purpose = if class == Class::Tile { "stores an unspecified value" } else { "uses an unspecified address" };
        Need { place: cx.place(operand), purpose, shape: cx.operand(operand).shape }
    }
}

/// How an earlier access relates to the current one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relation {
    /// The earlier one happens before.
    Ordered,
    /// Unordered, but they do not conflict.
    Harmless,
    /// A race.
    Conflict,
}

/// Compares the current access with earlier ones.
pub(crate) struct RaceDetector<'a> {
    events: &'a Events,
    lists: &'a mut Lists,
    /// The accesses that happen before.
    before: &'a Past,
    /// The access.
    now: Event,
    /// Its number.
    id: EventId,
    /// Whether it wrote some memory twice.
    pub(crate) repeats: bool,
    /// A cache of the last result, since adjacent memory was mostly accessed by the same op.
    known: [(EventId, Relation); 4],
    /// A cache of the last cell, before and after the update, since adjacent cells are mostly equal.
    last: Option<(ShadowCell, ShadowCell)>,
}

impl<'a> RaceDetector<'a> {
    pub(crate) fn new(events: &'a Events, lists: &'a mut Lists, before: &'a Past, id: EventId) -> RaceDetector<'a> {
        let (known, now) = ([(0, Relation::Ordered); 4], *events.get(id));
        RaceDetector { events, lists, before, now, id, repeats: false, known, last: None }
    }

    fn relation(&mut self, earlier: EventId) -> Relation {
        if earlier == 0 || earlier == self.id {
            return Relation::Ordered;
        }
        let slot = earlier as usize % self.known.len();
        if self.known[slot].0 != earlier {
            self.known[slot] = (earlier, self.compare(self.events.get(earlier)));
        }
        self.known[slot].1
    }

    fn compare(&self, earlier: &Event) -> Relation {
        let same_block = earlier.block == self.now.block;
        let strength = earlier.strength.min(self.now.strength);
        let unaliased = || {
            earlier.multicast == self.now.multicast
                || !earlier.writes && !self.now.writes
                || strength != Strength::Weak
                || self.before.is_fenced(earlier.link)
        };
        if self.before.covers(earlier.link) {
            if unaliased() { Relation::Ordered } else { Relation::Conflict }
        } else if !earlier.writes && !self.now.writes
            || strength == Strength::Device
            || strength == Strength::Block && same_block
        {
            Relation::Harmless
        } else {
            Relation::Conflict
        }
    }

    /// Records the access in cells, unless an earlier access that is recorded there conflicts; then returns the index
    /// of the cell and the earlier access.
    pub(crate) fn record(&mut self, cells: &mut [ShadowCell]) -> Result<(), (usize, EventId)> {
        for (index, cell) in cells.iter_mut().enumerate() {
            if self.last.is_none_or(|(old, _)| *cell != old) {
                self.last = Some((*cell, self.recorded(*cell).map_err(|earlier| (index, earlier))?));
            }
            self.last.iter().for_each(|(_, new)| *cell = *new);
        }
        Ok(())
    }

    /// The updated cell.
    fn recorded(&mut self, cell: ShadowCell) -> Result<ShadowCell, EventId> {
        let write = self.relation(cell.write);
        if write == Relation::Conflict {
            return Err(cell.write);
        }
        if !self.now.writes {
            return self.read(cell);
        }
        if cell.write == self.id {
            self.repeats = true;
            return Ok(cell);
        }
        let mut others = self.remaining(cell.others)?;
        if !self.replaces(cell.write) {
            others = self.lists.add(self.events, cell.write, others);
        }
        Ok(ShadowCell { write: self.id, others })
    }

    /// The updated cell for a read.
    fn read(&mut self, cell: ShadowCell) -> Result<ShadowCell, EventId> {
        let Some(&node) = self.lists.get(cell.others) else { return Ok(self.joined(cell, 0)) };
        if node.event == self.id {
            return Ok(cell);
        }
        // Reads do not conflict with reads.
        let others = if node.writes { self.remaining(cell.others)? } else { self.without_newest(cell.others) };
        Ok(self.joined(cell, others))
    }

    fn joined(&mut self, cell: ShadowCell, others: ListId) -> ShadowCell {
        ShadowCell { write: cell.write, others: self.lists.add(self.events, self.id, others) }
    }

    /// Whether the current access can replace an earlier one: it happens after it, and every later access that would
    /// race with the earlier one also races with the current one. A strong access does not replace a weak one, because
    /// it does not race with strong accesses of other tile blocks.
    fn replaces(&mut self, earlier: EventId) -> bool {
        if self.relation(earlier) != Relation::Ordered {
            return false;
        }
        let replaced = |earlier: &Event| self.now.strength <= earlier.strength && self.now.writes >= earlier.writes;
        earlier == 0 || replaced(self.events.get(earlier))
    }

    /// The list without the newest accesses that the current one replaces.
    fn without_newest(&mut self, mut list: ListId) -> ListId {
        while let Some(&node) = self.lists.get(list)
            && self.replaces(node.event)
        {
            list = node.rest;
        }
        list
    }

    /// The accesses in a list that the current one does not replace; or one that conflicts.
    fn remaining(&mut self, list: ListId) -> Result<ListId, EventId> {
        let Some(&node) = self.lists.get(list) else { return Ok(0) };
        if self.now.strength.min(node.strength) == Strength::Device {
            // None of them conflicts. Older accesses that are replaced may stay in the list.
            return Ok(self.without_newest(list));
        }
        let events: Vec<EventId> = self.lists.events(list).collect();
        if let Some(&event) = events.iter().find(|&&event| self.relation(event) == Relation::Conflict) {
            return Err(event);
        }
        let remaining: Vec<EventId> = events.iter().copied().filter(|&event| !self.replaces(event)).collect();
        if remaining.len() == events.len() {
            return Ok(list);
        }
        Ok(remaining.iter().rev().fold(0, |list, &event| self.lists.add(self.events, event, list)))
    }
}

/// The shadow of a loaded tile: `missing` for elements that were not loaded, unless an operand provides them.
pub(crate) fn loaded(fill: Shadow, missing: u32, loaded: &[bool]) -> Shadow {
    use crate::values::tile::{Scalar, at};
    let fill = fill.tile();
    let fill = u32::of(&fill);
    let origin = |(index, &loaded): (usize, &bool)| match (loaded, at(fill, index)) {
        (true, _) => 0,
        (false, 0) => missing,
        (false, filled) => filled,
    };
    Shadow::of(u32::tile(loaded.iter().enumerate().map(origin).collect()))
}

/// Whether an op reads one of some values.
pub(crate) fn is_used(body: &Body, results: std::ops::Range<u32>) -> bool {
    body.ops.iter().any(|op| body.operands(op).iter().any(|value| results.contains(&value.0)))
}
