//! What a rule replaces an op with.

use crate::change::NewOp;
use crate::entry::Entry;
use tile_analysis::ir::{Op, Value};

/// A replacement for an op with one result.
pub(super) enum Simpler {
    /// Another value.
    Value(Value),
    /// A tile of equal elements, by their bits.
    Splat(u64),
    /// Another op.
    Op(NewOp),
}

/// The op with other operands, each of which has a row of its own.
pub(super) fn with_operands(entry: &Entry<'_>, op: &Op, operands: &[Value]) -> NewOp {
    let groups = operands.iter().map(|value| vec![*value]).collect();
    NewOp { op: op.op, groups, attrs: entry.body().attrs_of(op).to_vec() }
}
