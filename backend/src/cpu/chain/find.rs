//! Which ops of a region are chains.
//!
//! A chain is found from its end, so that whether an op belongs to it is known when it is met: all who read its result
//! have been met before. Other ops between those of a chain run before all of it. So they may be none whose place
//! matters: none that accesses memory, prints, runs regions, or may find something.

use super::STRIP;
use crate::cpu::ops;
use crate::cpu::site::{Site, Tiled};
use std::collections::HashMap;
use tile_analysis::ir::{Body, OpId, Value};
use tile_dialect::{Mnemonic as M, ordering};

/// Ops of a region that run together.
#[derive(Debug, PartialEq)]
pub(in crate::cpu) enum Group {
    /// An op by itself.
    Op(OpId),
    /// A chain.
    Chain(Vec<OpId>),
}

impl Group {
    /// Its ops, in their order.
    pub(in crate::cpu) fn ops(&self) -> &[OpId] {
        match self {
            Group::Op(op) => std::slice::from_ref(op),
            Group::Chain(ops) => ops,
        }
    }
}

/// How often each value of an entry is read.
pub(in crate::cpu) struct Uses(Vec<usize>);

impl Uses {
    pub(in crate::cpu) fn of(body: &Body) -> Uses {
        let mut uses = vec![0; body.values.len()];
        let read = body.ops.iter().flat_map(|op| body.operands(op));
        read.for_each(|value| uses[value.0 as usize] += 1);
        Uses(uses)
    }
}

/// What an op may be in a chain whose tiles have so many elements.
enum Part {
    Load(usize),
    Compute(usize),
    Store(usize),
    /// It runs before the chain.
    Before,
    /// Nothing: chains end here.
    None,
}

impl Part {
    fn of(site: &Site<'_>) -> Part {
        match site.op.op {
            M::LoadPtrTko | M::LoadViewTko if is_simple(site, &site.result(0)) => Part::Load(site.result(0).count),
            M::StorePtrTko | M::StoreViewTko => match stored(site).map(|place| tile(site, place)) {
                Some(tile) if is_simple(site, &tile) => Part::Store(tile.count),
                _ => Part::None,
            },
            op if ops::is_total(op) => {
                let count = site.result(0).count;
                let mut operands = 0..site.body.operands(site.op).len();
                let same = ops::computes_each(op) && operands.all(|place| tile(site, place).count == count);
                if same { Part::Compute(count) } else { Part::Before }
            }
            _ => Part::None,
        }
    }
}

/// Whether an access is not ordered with those of other tile blocks, and has a byte at least for each element.
fn is_simple(site: &Site<'_>, tile: &Tiled) -> bool {
    site.choice("memory_ordering_semantics") == ordering::WEAK && tile.element.bits() != 4
}

/// The place of the operand that an op stores.
pub(super) fn stored(site: &Site<'_>) -> Option<usize> {
    match site.op.op {
        M::StorePtrTko => Some(site.place("value")),
        M::StoreViewTko => Some(site.place("tile")),
        _ => None,
    }
}

/// The operand at a place.
pub(super) fn tile(site: &Site<'_>, place: usize) -> Tiled {
    Tiled::of(site.body.ty(site.body.operands(site.op)[place]))
}

/// A chain of which the end is known.
#[derive(Default)]
struct Found {
    /// The ops of the chain and those between, the last one first, and which of them are the chain's.
    ops: Vec<(OpId, bool)>,
    /// The elements of its tiles, once there is a store.
    count: usize,
    loads: bool,
    /// How often its ops read each value.
    read: HashMap<Value, usize>,
}

impl Found {
    /// Whether nobody else reads what an op of so many elements computes. Tokens hold nothing.
    fn owns(&self, site: &Site<'_>, uses: &Uses, count: usize) -> bool {
        let result = Value(site.op.results.start);
        count == self.count && self.read.get(&result).copied().unwrap_or(0) == uses.0[result.0 as usize]
    }

    fn join(&mut self, site: &Site<'_>, reads: &[Value]) {
        self.ops.push((site.id, true));
        reads.iter().for_each(|&value| *self.read.entry(value).or_default() += 1);
    }

    /// Tells the ops, the last one first. Without a load they stay where they are.
    fn end(&mut self, groups: &mut Vec<Group>) {
        let Found { ops, loads, .. } = std::mem::take(self);
        let (chain, others): (Vec<_>, Vec<_>) = ops.into_iter().partition(|(_, belongs)| *belongs && loads);
        if loads {
            groups.push(Group::Chain(chain.into_iter().rev().map(|(id, _)| id).collect()));
        }
        groups.extend(others.into_iter().map(|(id, _)| Group::Op(id)));
    }
}

/// Puts the ops of a region into an order in which those of each chain stand together.
pub(in crate::cpu) fn arrange(sites: &[Site<'_>], uses: &Uses) -> Vec<Group> {
    let mut groups = Vec::new();
    let mut found = Found::default();
    for site in sites.iter().rev() {
        let operands = site.body.operands(site.op);
        match Part::of(site) {
            Part::Store(count) if count > STRIP => {
                if found.count != count {
                    found.end(&mut groups);
                }
                found.count = count;
                found.join(site, stored(site).map_or(&[], |place| &operands[place..=place]));
            }
            Part::Load(count) if found.owns(site, uses, count) => {
                found.loads = true;
                found.join(site, &[]);
            }
            Part::Compute(count) if found.owns(site, uses, count) => found.join(site, operands),
            Part::Compute(_) | Part::Before => found.ops.push((site.id, false)),
            _ => {
                found.end(&mut groups);
                groups.push(Group::Op(site.id));
            }
        }
    }
    found.end(&mut groups);
    groups.reverse();
    groups
}

/// The ops of a region, each by itself.
pub(in crate::cpu) fn separate(sites: &[Site<'_>]) -> Vec<Group> {
    sites.iter().map(|site| Group::Op(site.id)).collect()
}
