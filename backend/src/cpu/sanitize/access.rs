//! Accesses to memory: what an op needs to be specified, what it leaves unspecified, and what it must be ordered with.

use super::cells::Cell;
use super::clock::{Clock, Event, EventId, Events, Strength};
use super::mark::{Mark, Reason};
use crate::cpu::kernel::Outcome;
use crate::cpu::ops::reach::{self, Reached};
use crate::cpu::site::Site;
use tile_dialect::{Class, MEMORY_SCOPE, ordering};

/// An access, as far as its op tells.
pub(super) struct Access {
    pub(super) reached: Reached,
    /// Whether it gives what memory holds.
    pub(super) reads: bool,
    /// Whether it changes what memory holds.
    pub(super) writes: bool,
    pub(super) strength: Strength,
    /// Whether what other tile blocks released comes before.
    pub(super) acquires: bool,
    /// Whether what comes before is released to other tile blocks.
    pub(super) releases: bool,
    /// Operands of which only the elements that take part need be specified.
    pub(super) parts: Vec<Need>,
    /// The operand whose elements the result has where nothing is loaded.
    pub(super) fill: Option<usize>,
    /// Why an element that nothing is loaded for is unspecified; `None` where it has a value.
    pub(super) missing: Option<Reason>,
}

/// An operand that must be specified.
pub(super) struct Need {
    pub(super) place: usize,
    /// What is done with it.
    pub(super) purpose: &'static str,
    pub(super) shape: Box<[i64]>,
}

impl Access {
    /// What an op accesses; `None` where its row says that it accesses nothing.
    pub(super) fn of(site: &Site<'_>) -> Outcome<Option<Access>> {
        let row = site.op.op.row();
        if row.attr("memory_ordering_semantics").is_none() {
            return Ok(None);
        }
        let Some(reached) = reach::of(site)? else { return Ok(None) };
        let order = site.choice("memory_ordering_semantics");
        let scope = site.attr("memory_scope").as_enum();
        let block_only = scope.is_some_and(|scope| MEMORY_SCOPE.keyword(scope) == "tl_blk");
        let fill = row.operands.iter().find(|operand| matches!(operand.name, "paddingValue" | "cmp"));
        let fill = fill.and_then(|operand| site.optional(operand.name));
        let through_view = row.operands.iter().any(|operand| operand.class == Class::TileView);
        let missing = if through_view { Reason::Outside } else { Reason::Masked };
        let stored = |operand: &&tile_dialect::OperandRow| operand.class == Class::Tile;
        let parts = row.operands.iter().filter(|operand| operand.class == Class::Pointers || stored(operand));
        let parts = parts.map(|operand| Need::of(site, operand.name, operand.class)).collect();
        Ok(Some(Access {
            reads: row.results.iter().any(|result| result.class == Class::Tile),
            writes: row.operands.iter().any(|operand| stored(&operand)),
            strength: match (order, block_only) {
                (ordering::WEAK, _) => Strength::Weak,
                (_, true) => Strength::Block,
                _ => Strength::Device,
            },
            acquires: matches!(order, ordering::ACQUIRE | ordering::ACQ_REL),
            releases: matches!(order, ordering::RELEASE | ordering::ACQ_REL),
            missing: (fill.is_none() && !reached.padded).then_some(missing),
            reached,
            parts,
            fill,
        }))
    }
}

impl Need {
    fn of(site: &Site<'_>, name: &str, class: Class) -> Need {
        let purpose = if class == Class::Tile { "stores an unspecified value" } else { "uses an unspecified address" };
        Need { place: site.place(name), purpose, shape: site.operand(name).shape }
    }
}

/// How an earlier access and the one that runs now stand to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relation {
    /// The earlier one comes before.
    Ordered,
    /// They may run at the same time.
    Harmless,
    /// They must not, and may.
    Conflict,
}

/// Compares the access that runs now with earlier ones.
pub(super) struct Judge<'a> {
    pub(super) events: &'a Events,
    /// What comes before the access.
    pub(super) before: &'a Clock,
    /// The access.
    pub(super) now: Event,
    /// Its number.
    pub(super) id: EventId,
    /// What was found out last: neighbours were mostly accessed by the same op.
    known: [(EventId, Relation); 4],
}

impl<'a> Judge<'a> {
    pub(super) fn new(events: &'a Events, before: &'a Clock, id: EventId) -> Judge<'a> {
        Judge { events, before, now: *events.get(id), id, known: [(0, Relation::Ordered); 4] }
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
        if self.before.covers(earlier.link) {
            Relation::Ordered
        } else if !earlier.writes && !self.now.writes
            || strength == Strength::Device
            || strength == Strength::Block && same_block
        {
            Relation::Harmless
        } else {
            Relation::Conflict
        }
    }

    /// Records the access in cells, if no earlier one that is recorded there is in its way; else gives the index of the
    /// cell and the earlier access.
    pub(super) fn record(&mut self, cells: &mut [Cell]) -> Result<(), (usize, EventId)> {
        // Neighbours mostly were accessed by the same ops: what becomes of one becomes of the next too.
        let (mut old, mut new) = (Cell::default(), None);
        for (index, cell) in cells.iter_mut().enumerate() {
            if new.is_none() || *cell != old {
                old = *cell;
                new = Some(self.recorded(old).map_err(|earlier| (index, earlier))?);
            }
            *cell = new.unwrap_or_default();
        }
        Ok(())
    }

    /// What becomes of a cell.
    fn recorded(&mut self, mut cell: Cell) -> Result<Cell, EventId> {
        let relations = [cell.write, cell.others[0], cell.others[1]].map(|earlier| (earlier, self.relation(earlier)));
        if let Some((earlier, _)) = relations.iter().find(|(_, relation)| *relation == Relation::Conflict) {
            return Err(*earlier);
        }
        if self.now.writes {
            // What may still run at the same time stays.
            let mut others = relations.iter().filter(|(_, relation)| *relation == Relation::Harmless);
            cell.others = [(); 2].map(|()| others.next().map_or(0, |(earlier, _)| *earlier));
            cell.write = self.id;
        } else if let Some(slot) = (0..2).find(|&slot| relations[slot + 1].1 == Relation::Ordered) {
            cell.others[slot] = self.id;
        } else if cell.others.iter().all(|&other| self.events.get(other).block == self.events.get(cell.others[0]).block)
        {
            // Of two tile blocks one is never the one that writes later.
            cell.others[1] = self.id;
        }
        Ok(cell)
    }
}

/// The mark of what an access loaded: `missing` where nothing was, unless an operand fills it in.
pub(super) fn loaded(fill: Mark, missing: u32, loaded: &[bool]) -> Mark {
    use crate::cpu::tile::{Word, at};
    let fill = fill.tile();
    let fill = u32::of(&fill);
    let origin = |(index, &loaded): (usize, &bool)| match (loaded, at(fill, index)) {
        (true, _) => 0,
        (false, 0) => missing,
        (false, filled) => filled,
    };
    Mark::of(u32::tile(loaded.iter().enumerate().map(origin).collect()))
}
