//! The parts of an op and their places.

use crate::ir::Value;
use crate::read::attr::Written;
use crate::types::Type;
use smallvec::{SmallVec, smallvec};
use std::ops::Range;
use tile_dialect::OpRow;
use tile_dialect::form::Slot;
use tile_syntax::Node;

/// The syntactic parts of an op.
#[derive(Default)]
pub(super) struct OpSyntax {
    /// Result names: the token and how many values it names.
    pub(super) results: SmallVec<[(usize, u32); 2]>,
    /// Operand slots, their nodes and values, in the order of the text.
    pub(super) operands: SmallVec<[(u8, Node, Value); 4]>,
    /// Entries of lists that hold integers and values, in order: the slot and the integer, if it is one.
    pub(super) mixed: SmallVec<[MixedPart; 4]>,
    /// The types by their number in the form.
    pub(super) types: SmallVec<[(u8, Type, Node); 4]>,
    pub(super) attrs: SmallVec<[(u8, Node); 4]>,
    pub(super) regions: SmallVec<[(u8, Node); 2]>,
    /// Block arguments in the header or in front of the region.
    pub(super) block_args: SmallVec<[Node; 4]>,
    /// An operand that a keyword announces and that is not there.
    pub(super) absent: Option<Node>,
    pub(super) dict: Option<Node>,
    pub(super) name: Option<Node>,
    pub(super) location: Option<Node>,
}

/// An entry of a list that holds integers and values: its slot, and the integer if it is one. The value of one that cannot
/// be read is missing.
type MixedPart = (u8, Option<(Option<i64>, Node)>);

/// An entry of a list that holds integers and values: the integer with its place, if it is one.
type MixedEntry = Option<(Option<i64>, Range<u32>)>;

/// The ranges of an op's parts, which verification needs in addition to the IR.
pub(crate) struct OpSpans {
    /// The op's name.
    pub(crate) name: Range<u32>,
    /// For each attribute of the row its place; the op's name where it is not written.
    pub(crate) attrs: SmallVec<[Range<u32>; 6]>,
    /// The places of the written types, by part.
    pub(crate) types: SmallVec<[(Slot, Range<u32>); 4]>,
    /// The literal of a constant.
    pub(crate) literal: Option<Written>,
    /// Entries of shape and stride lists: the slot and the integer with its place, if it is one.
    pub(crate) mixed: SmallVec<[(u8, MixedEntry); 4]>,
    /// Whether the op is in generic form, which can say things that custom form cannot.
    pub(crate) generic: bool,
}

impl OpSpans {
    /// For types that are not written.
    pub(super) fn nowhere(row: &OpRow) -> OpSpans {
        let attrs = smallvec![0..0; row.attrs.len()];
        OpSpans { name: 0..0, attrs, types: SmallVec::new(), literal: None, mixed: SmallVec::new(), generic: false }
    }
}
