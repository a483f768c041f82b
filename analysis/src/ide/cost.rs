//! Static cost estimates from types and trip counts: operations on elements, and bytes moved between tiles and memory.

use super::type_words::{bytes_of, size};
use crate::ir::{Body, Op, OpId, RegionId, Value};
use crate::range_analysis::{KnownValues, trip_count};
use std::fmt;
use std::ops::AddAssign;
use tile_dialect::{Effect, Group, OpRow, OperandName, RegionArgs, Rule};

/// An estimated cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// Operations on single elements. A multiply-add counts as two.
    pub operations: u64,
    /// Bytes read from memory.
    pub read: u64,
    /// Bytes written to memory.
    pub written: u64,
    /// Whether the cost is a lower bound, because a part of unknown trip count is counted only once.
    pub is_open: bool,
}

/// The cost of an op, its regions included.
pub fn of_op(body: &Body, known: &KnownValues, id: OpId) -> Cost {
    let op = body.op(id);
    let row = op.op.row();
    if row.regions.iter().any(|region| region.args == RegionArgs::Listed) {
        return fold(body, known, op);
    }
    let mut cost = own(body, op, row);
    for region in body.regions_of(op) {
        cost += of_region(body, known, region);
    }
    if row.effect == Effect::Regions && row.operand(OperandName::Step).is_some() {
        // A range of counts, such as all that a type permits, is no basis for a total.
        let exact = trip_count(body, op, known).filter(|count| count.max == Some(count.min));
        return cost.repeated(exact.map(|count| count.min));
    }
    cost.is_open |= row.effect == Effect::Regions;
    cost
}

/// The cost of a tile block of an entry.
pub fn of_entry(body: &Body, known: &KnownValues) -> Cost {
    of_region(body, known, RegionId(0))
}

/// The cost of the ops of a region.
pub fn of_region(body: &Body, known: &KnownValues, region: RegionId) -> Cost {
    let mut cost = Cost::default();
    for &id in &body.region(region).ops {
        cost += of_op(body, known, id);
    }
    cost
}

/// The cost of a reduction or a scan, which runs its body once per element.
fn fold(body: &Body, known: &KnownValues, op: &Op) -> Cost {
    let elements = body.operands(op).first().map_or(0, |&value| elements(body, value));
    let ops = body.regions_of(op).map(|region| of_region(body, known, region).operations);
    Cost { operations: ops.sum::<u64>().saturating_mul(elements), ..Cost::default() }
}

fn own(body: &Body, op: &Op, row: &OpRow) -> Cost {
    if let Some(operations) = product(body, op, row) {
        return Cost { operations, ..Cost::default() };
    }
    if row.effect == Effect::Memory {
        return access(body, op, row);
    }
    let result = body.results(op).next().map_or(0, |value| elements(body, value));
    let each = match row.group {
        // Two operations in one: a product and a sum.
        Group::Float if row.operand(OperandName::Acc).is_some() => 2,
        Group::Integer | Group::Float | Group::Bitwise | Group::Conversion => 1,
        _ => 0,
    };
    Cost { operations: result * each, ..Cost::default() }
}

/// The operations of a matrix product. Unlike `fma`, its factors and its accumulator have different types.
fn product(body: &Body, op: &Op, row: &OpRow) -> Option<u64> {
    let (lhs, _) = row.operand(OperandName::Lhs)?;
    let (acc, _) = row.operand(OperandName::Acc)?;
    let is_elementwise =
        |rule: &Rule| matches!(rule, Rule::SameType(names) if names.contains(&"lhs") && names.contains(&"acc"));
    if row.rules.iter().any(is_elementwise) {
        return None;
    }
    let depth = body.ty(body.operand(op, lhs)?).as_tile()?.shape.last().copied()?;
    let sums = elements(body, body.operand(op, acc)?);
    Some(sums.saturating_mul(2).saturating_mul(depth.max(0) as u64))
}

/// The bytes that an access moves: the size of the tile that its rules relate to pointers or a view.
fn access(body: &Body, op: &Op, row: &OpRow) -> Cost {
    let is_tile = |rule: &Rule| match rule {
        Rule::PointsTo(_, tile) | Rule::TileOfView(tile, _) => Some(*tile),
        _ => None,
    };
    let Some(name) = row.rules.iter().find_map(is_tile) else { return Cost::default() };
    let operand = row.operand_named(name).and_then(|(index, _)| body.operand(op, index));
    let result = body.results(op).find(|&value| body.ty(value).as_tile().is_some());
    let moved = |value: Option<Value>| value.and_then(|value| bytes_of(body.ty(value))).unwrap_or(0);
    Cost { read: moved(result), written: moved(operand), ..Cost::default() }
}

fn elements(body: &Body, value: Value) -> u64 {
    body.ty(value).as_tile().map_or(0, |tile| tile.len() as u64)
}

impl Cost {
    fn repeated(self, count: Option<u64>) -> Cost {
        let Some(count) = count else { return Cost { is_open: true, ..self } };
        Cost {
            operations: self.operations.saturating_mul(count),
            read: self.read.saturating_mul(count),
            written: self.written.saturating_mul(count),
            ..self
        }
    }

    /// Reports whether every count is zero.
    pub fn is_nothing(&self) -> bool {
        self.operations == 0 && self.read == 0 && self.written == 0
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        self.operations = self.operations.saturating_add(other.operations);
        self.read = self.read.saturating_add(other.read);
        self.written = self.written.saturating_add(other.written);
        self.is_open = self.is_open || other.is_open;
    }
}

/// Formats as `524.3 thousand operations, reads 16 KiB, writes 4 KiB`.
impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if self.operations > 0 {
            let plural = if self.operations == 1 { "" } else { "s" };
            parts.push(format!("{} operation{plural}", scaled(self.operations)));
        }
        if self.read > 0 {
            parts.push(format!("reads {}", size(self.read)));
        }
        if self.written > 0 {
            parts.push(format!("writes {}", size(self.written)));
        }
        f.write_str(&parts.join(", "))
    }
}

/// Formats a large number in thousands, millions or billions.
fn scaled(number: u64) -> String {
    let (unit, word) = match number {
        0..10_000 => return number.to_string(),
        10_000..1_000_000 => (1e3, " thousand"),
        1_000_000..1_000_000_000 => (1e6, " million"),
        _ => (1e9, " billion"),
    };
    format!("{:.1}{word}", number as f64 / unit).replace(".0 ", " ")
}
