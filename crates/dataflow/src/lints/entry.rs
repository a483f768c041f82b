//! An entry as the lints see it.

use crate::access::{Access, Direction};
use crate::names::SourceNames;
use crate::symbolic::Symbol;
use crate::volume::{self, Volume};
use std::ops::Range;
use tile_analysis::ir::{Body, OpId, RegionId, Value};
use tile_analysis::range_analysis::NamedLaunch;
use tile_dialect::ordering;

/// An entry with its accesses.
pub(super) struct Entry<'a> {
    pub(super) names: SourceNames<'a>,
    pub(super) accesses: &'a [Access],
    /// The first atomic op.
    pub(super) first_update: Option<OpId>,
    pub(super) launches: &'a [NamedLaunch],
    /// The values that overflow in each launch.
    overflowing: Vec<Vec<Value>>,
    /// The maximum number of steps to count what an access touches in a launch.
    limit: u64,
}

/// The number of accesses in launches that get the whole limit of steps. More than these share as many steps, so that
/// an entry with thousands of accesses does not take minutes.
const COUNTED: u64 = 16;

impl<'a> Entry<'a> {
    /// An entry, of whose accesses each is counted in a launch if that takes at most `limit` steps.
    pub(super) fn new(
        names: SourceNames<'a>,
        accesses: &'a [Access],
        launches: &'a [NamedLaunch],
        limit: u64,
    ) -> Entry<'a> {
        let overflowing = |launch: &NamedLaunch| {
            accesses.first().map_or_else(Vec::new, |first| first.integers.overflowing(names.body, &launch.values))
        };
        let pairs = (accesses.len() * launches.len()) as u64;
        Entry {
            names,
            accesses,
            first_update: accesses.iter().find(|access| access.direction == Direction::Update).map(|first| first.op),
            launches,
            overflowing: launches.iter().map(overflowing).collect(),
            limit: limit.min(limit.saturating_mul(COUNTED) / pairs.max(1)),
        }
    }

    /// The range of the name of an op.
    pub(super) fn name(&self, op: OpId) -> Range<u32> {
        self.names.spans.op_names[op.0 as usize].clone()
    }

    /// The volume of an access in each launch, if it can be counted.
    pub(super) fn volumes(&self, access: &Access) -> impl Iterator<Item = (&NamedLaunch, Option<Volume>)> {
        self.launches.iter().zip(&self.overflowing).map(|(launch, overflowing)| {
            let volume = volume::of_access_unless(overflowing, self.names.body, access, &launch.values, self.limit);
            (launch, volume.ok())
        })
    }

    /// Whether a launch passes pointers into the same buffer for two parameters.
    pub(super) fn passes_same_buffer(&self, one: Value, other: Value) -> bool {
        let body = self.names.body;
        let (Some(one), Some(other)) = (body.param(one), body.param(other)) else { return false };
        let pair = [one.min(other), one.max(other)];
        self.launches.iter().any(|launch| launch.values.aliases.contains(&pair))
    }

    /// The text of a range.
    pub(super) fn text(&self, range: Range<u32>) -> &str {
        self.names.text.get(range.start as usize..range.end as usize).unwrap_or_default()
    }
}

/// Whether a symbol can have another value in each iteration of a loop.
pub(super) fn varies_in(symbol: Symbol, body: &Body, around: OpId) -> bool {
    let is_inside = |value: Value| match body.defining_op(value) {
        Some(op) => op > around,
        None => !body.region(RegionId(0)).args.contains(&value),
    };
    match symbol {
        Symbol::Induction(op) | Symbol::Iteration(op) => op >= around,
        Symbol::Unknown(value) | Symbol::Carried(value) => is_inside(value),
        Symbol::Block(_) | Symbol::Lane(..) | Symbol::Grid(_) | Symbol::Param(_) => false,
    }
}

/// Whether a load or a store is not ordered relative to accesses of other tile blocks.
pub(super) fn is_weak(body: &Body, op: OpId) -> bool {
    let op = body.op(op);
    let index = op.op.row().attrs.iter().position(|attr| attr.name == "memory_ordering_semantics");
    index.is_none_or(|index| body.attr(op, index).as_enum() == Some(ordering::WEAK))
}

/// Where something holds, in words.
pub(super) fn in_every_launch(entry: &Entry<'_>) -> &'static str {
    match entry.launches.len() {
        1 => "in the launch of this entry",
        _ => "in all launches of this entry",
    }
}
