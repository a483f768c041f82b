//! The context of the checks of single ops.

use crate::context::Context;
use crate::diagnostic::Diagnostic;
use crate::ir::{Attr, Body, Op, OpId, RegionId, Value};
use crate::lower::OpSpans;
use crate::source::Spans;
use crate::types::{TileType, Type};
use std::ops::Range;
use tile_dialect::AttrName;
use tile_dialect::form::Slot;

/// The op's body, its source ranges and the checked file.
pub(crate) struct Cx<'a> {
    pub(crate) body: &'a Body,
    pub(crate) context: &'a Context,
    pub(crate) places: &'a OpSpans,
    pub(crate) spans: &'a Spans,
    pub(crate) text: &'a str,
}

pub(super) type Diagnostics<'a> = &'a mut Vec<Diagnostic>;

impl<'a> Cx<'a> {
    /// The type of an operand; `None` if it is absent or unknown.
    pub(super) fn operand(&self, op: &Op, index: usize) -> Option<Type> {
        self.body.operand(op, index).map(|value| self.body.ty(value)).filter(|ty| !ty.is_unknown())
    }

    /// The tile type of an operand.
    pub(super) fn tile(&self, op: &Op, index: usize) -> Option<&'static TileType> {
        self.operand(op, index)?.as_tile()
    }

    /// The type of a result; `None` if it is absent or unknown.
    pub(super) fn result(&self, op: &Op, index: usize) -> Option<Type> {
        let value = Value(op.results.start + index as u32);
        (value.0 < op.results.end).then(|| self.body.ty(value)).filter(|ty| !ty.is_unknown())
    }

    pub(super) fn result_tile(&self, op: &Op, index: usize) -> Option<&'static TileType> {
        self.result(op, index)?.as_tile()
    }

    pub(super) fn attr(&self, op: &Op, name: AttrName) -> &'a Attr {
        match op.op.row().attr(name) {
            Some((index, _)) => self.body.attr(op, index),
            None => &Attr::Absent,
        }
    }

    /// The range of an attribute, or of the op's name if the attribute is not written.
    pub(super) fn attr_place(&self, op: &Op, name: AttrName) -> Range<u32> {
        let index = op.op.row().attr(name).map(|(index, _)| index);
        index.and_then(|index| self.places.attrs.get(index)).cloned().unwrap_or_else(|| self.places.name.clone())
    }

    /// The range of the index list of an op in custom form: the first brackets after its name.
    pub(super) fn index_list(&self) -> Option<Range<u32>> {
        let rest = self.text.get(self.places.name.end as usize..).filter(|_| !self.places.generic)?;
        let start = rest.find('[')?;
        let length = rest[start..].find(']')? + 1;
        let start = self.places.name.end + start as u32;
        Some(start..start + length as u32)
    }

    /// Reports whether the text between two ranges, the first before the second, has no line break.
    pub(super) fn on_one_line(&self, first: &Range<u32>, second: &Range<u32>) -> bool {
        self.text.get(first.end as usize..second.start as usize).is_some_and(|between| !between.contains('\n'))
    }

    /// The op that ends a region.
    pub(super) fn last(&self, region: RegionId) -> Option<OpId> {
        self.body.region(region).ops.last().copied()
    }

    /// The range of an op's name.
    pub(super) fn name_of(&self, op: OpId) -> Range<u32> {
        self.spans.op_names[op.0 as usize].clone()
    }

    /// The types of an op's operands.
    pub(super) fn operand_types(&self, op: &Op) -> Vec<Type> {
        self.body.operands(op).iter().map(|&value| self.body.ty(value)).collect()
    }

    /// The range of a result type, or of the op's name if the type is not written.
    pub(super) fn result_place(&self, index: u8) -> Range<u32> {
        self.type_place(Slot::Result(index), 0)
    }

    pub(super) fn type_place(&self, slot: Slot, position: usize) -> Range<u32> {
        let mut written = self.places.types.iter().filter(|(of, _)| *of == slot);
        written.nth(position).map_or_else(|| self.places.name.clone(), |(_, range)| range.clone())
    }
}
