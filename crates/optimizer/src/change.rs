//! The changes that passes decide on.

use tile_analysis::ir::{Attr, OpId, RegionId, Value};
use tile_dialect::Mnemonic;

/// A change of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Removes an op whose results are not used, or are all replaced.
    Remove(OpId),
    /// Uses another value instead, wherever a value is used. The other one must have a name and dominate the uses.
    Use { instead_of: Value, value: Value },
    /// Replaces an op without regions by another one with the same results.
    Rewrite(OpId, NewOp),
    /// Moves an op without regions directly before another op, which must be in an enclosing region.
    Hoist { op: OpId, before: OpId },
    /// Replaces an op by the statements of one of its regions, without the terminator.
    Inline(OpId, RegionId),
}

/// An op that replaces another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewOp {
    pub(crate) op: Mnemonic,
    /// One list of operands per operand row.
    pub(crate) groups: Vec<Vec<Value>>,
    /// One attribute per attribute row.
    pub(crate) attrs: Vec<Attr>,
}

impl Change {
    /// The op that the change is about; `None` for a use of another value.
    pub(crate) fn op(&self) -> Option<OpId> {
        match self {
            Change::Remove(op) | Change::Rewrite(op, _) | Change::Hoist { op, .. } | Change::Inline(op, _) => Some(*op),
            Change::Use { .. } => None,
        }
    }
}

/// The changes of a pass, one list per improvement: an op that is folded, merged, moved or removed. A list can be
/// applied alone, so it repeats changes of others that it depends on; but one that moves an op depends on the lists
/// that move the definitions of its operands.
pub(crate) type Changes = Vec<Vec<Change>>;
