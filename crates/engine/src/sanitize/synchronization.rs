//! Explains a race: records through which memory tile blocks synchronize, and finds the op that would have to order the
//! two accesses, but does not.

use crate::findings::{Fault, race};
use crate::sanitize::access::Access;
use crate::sanitize::chains::Link;
use crate::sanitize::clock::{Event, Strength};
use crate::sanitize::past::Past;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use tile_analysis::ir::OpId;

/// The strong accesses of a launch, as far as they can explain a race.
#[derive(Default)]
pub(crate) struct Synchronization {
    /// The last strong writes of each address.
    writes: FxHashMap<u64, VecDeque<Write>>,
    /// The strong reads of the running tile block that can have read a value of another one, and the addresses.
    reads: Vec<(Read, u64)>,
}

/// A strong write.
struct Write {
    op: OpId,
    block: u32,
    order: Order,
    /// The accesses up to it.
    past: Past,
}

/// A strong read.
#[derive(Clone, Copy)]
struct Read {
    op: OpId,
    order: Order,
    link: Link,
}

/// Whether an access synchronizes with other tile blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// Not: its scope is its own tile block.
    BlockScope,
    /// Not: it neither releases nor acquires.
    Relaxed,
    /// Not: the program does not use the value that it acquires.
    Unused,
    /// It releases or acquires.
    Synchronizes,
}

/// The number of writes of one address that are kept.
const MAX_WRITES: usize = 8;
/// The number of addresses whose writes are kept, and of reads.
const MAX_RECORDS: usize = 4096;

impl Synchronization {
    /// Starts a tile block.
    pub(crate) fn begin(&mut self) {
        self.reads.clear();
    }

    /// Records an access of the running tile block, with the accesses up to it.
    pub(crate) fn record(&mut self, access: &Access, event: &Event, past: &Past, addresses: impl Iterator<Item = u64>) {
        if event.strength == Strength::Weak {
            return;
        }
        let order = |synchronizes: bool, is_unused: bool| match event.strength {
            Strength::Block => Order::BlockScope,
            _ if synchronizes => Order::Synchronizes,
            _ if is_unused => Order::Unused,
            _ => Order::Relaxed,
        };
        for address in addresses {
            let is_shared = self.writes.get(&address).is_some_and(|all| all.iter().any(|it| it.block != event.block));
            if access.reads && is_shared && self.reads.len() < MAX_RECORDS {
                let order = order(access.acquires, access.is_acquire_unused);
                self.reads.push((Read { op: event.op, order, link: event.link }, address));
            }
            if access.writes && (self.writes.len() < MAX_RECORDS || self.writes.contains_key(&address)) {
                let writes = self.writes.entry(address).or_default();
                writes.truncate(MAX_WRITES - 1);
                let order = order(access.releases, false);
                writes.push_front(Write { op: event.op, block: event.block, order, past: past.clone() });
            }
        }
    }

    /// Adds to a race what fails to order the earlier access before the current one, which follows the accesses in
    /// `before`: the last read of a value that the other tile block wrote, and why it orders nothing.
    pub(crate) fn explain(
        &self,
        fault: Box<Fault>,
        [earlier, now]: [&Event; 2],
        before: &Past,
        block: [u32; 3],
    ) -> Box<Fault> {
        if earlier.strength.min(now.strength) == Strength::Block {
            return race::block_scope(fault, if now.strength == Strength::Block { now.op } else { earlier.op });
        }
        let of_block = |address| self.writes.get(address)?.iter().find(|write| write.block == earlier.block);
        let found = self.reads.iter().rev().find_map(|(read, address)| Some((read, of_block(address)?)));
        let Some((read, write)) = found else {
            return if self.writes.is_empty() { fault } else { race::no_synchronization(fault, block) };
        };
        match (write.order, read.order) {
            (Order::BlockScope, _) => race::block_scope(fault, write.op),
            (_, Order::BlockScope) => race::block_scope(fault, read.op),
            (Order::Relaxed | Order::Unused, _) => race::not_released(fault, write.op, read.op, block),
            _ if !write.past.covers(earlier.link) => race::released_without_token(fault, write.op, block),
            (_, Order::Relaxed) => race::not_acquired(fault, read.op, block),
            (_, Order::Unused) => race::acquired_value_unused(fault, read.op, block),
            _ if !before.covers(read.link) => race::acquired_without_token(fault, read.op, block),
            _ => fault,
        }
    }
}
