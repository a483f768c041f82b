//! The rules of single ops that the table's data does not express. Each is a function named in one place, here.

mod constant;
mod control;
mod convert;
mod f4;
pub(crate) mod hint;
mod integer;
mod matrix;
mod memory;
mod misc;
mod multimem;
mod pack;
mod preview;
mod reduce;
mod shape;
mod view;

pub(crate) use constant::literal_fits;

use crate::context::Context;
use crate::diagnostic::Diagnostic;
use crate::ir::{Attr, Body, Op, OpId, RegionId, Value};
use crate::lower::Places;
use crate::source::Spans;
use crate::types::{TileType, Type};
use std::ops::Range;
use tile_dialect::Mnemonic as M;
use tile_dialect::form::Slot;

/// What a rule can see.
pub(crate) struct Cx<'a> {
    pub(crate) body: &'a Body,
    pub(crate) context: &'a Context,
    pub(crate) places: &'a Places,
    pub(crate) spans: &'a Spans,
    pub(crate) text: &'a str,
}

type Found<'a> = &'a mut Vec<Diagnostic>;

/// Checks an op whose operands have the types that its text states.
pub(crate) fn op(cx: &Cx, id: OpId, found: Found) {
    let op = cx.body.op(id);
    match op.op {
        M::Constant => constant::constant(cx, op, found),
        M::Iota => shape::iota(cx, op, found),
        M::Reshape => shape::reshape(cx, op, found),
        M::Broadcast => shape::broadcast(cx, op, found),
        M::Permute => shape::permute(cx, op, found),
        M::Cat => shape::cat(cx, op, found),
        M::Extract => shape::extract(cx, op, found),
        M::Insert => shape::insert(cx, op, found),
        M::Exti | M::Trunci => convert::width(cx, op, found),
        M::Bitcast => convert::bitcast(cx, op, found),
        M::Ftof => convert::ftof(cx, op, found),
        M::Itof => convert::itof(cx, op, found),
        M::Negi => integer::negi(cx, op, found),
        M::Divi => integer::divi(cx, op, found),
        M::Select => shape::select(cx, op, found),
        M::Pack | M::Unpack => pack::same_bytes(cx, op, found),
        M::Mmaf | M::Mmai => matrix::mma(cx, op, found),
        M::MmafScaled => {
            matrix::mma(cx, op, found);
            if found.is_empty() {
                matrix::scales(cx, op, found);
            }
        }
        M::PreviewCall => preview::call(cx, op, found),
        M::MakeTensorView => view::make_tensor_view(cx, op, found),
        M::MakePartitionView | M::MakeStridedView | M::MakeGatherScatterView => view::make_view(cx, op, found),
        M::GetTensorShape | M::GetIndexSpaceShape => view::shape_results(cx, op, found),
        M::LoadViewTko | M::StoreViewTko => {
            view::index(cx, op, found);
            multimem::ordinary(cx, op, found);
            f4::view_access(cx, op, found);
            memory::scope(cx, op, found);
            hints(cx, op, found);
        }
        M::MultimemLoadReduceViewTko | M::MultimemReduceViewTko | M::MultimemStoreViewTko => {
            multimem::multimem(cx, op, found);
            view::index(cx, op, found);
            memory::scope(cx, op, found);
        }
        M::AtomicRedViewTko => {
            memory::atomic_red_view(cx, op, found);
            multimem::ordinary(cx, op, found);
            view::index(cx, op, found);
        }
        M::LoadPtrTko | M::StorePtrTko => {
            multimem::ordinary(cx, op, found);
            memory::scope(cx, op, found);
            hints(cx, op, found);
        }
        M::AtomicRmwTko => {
            memory::atomic_rmw(cx, op, found);
            multimem::ordinary(cx, op, found);
        }
        M::AtomicCasTko => {
            memory::atomic_cas(cx, op, found);
            multimem::ordinary(cx, op, found);
        }
        M::JoinTokens => memory::join_tokens(cx, op, found),
        M::Alloca => memory::alloca(cx, op, found),
        M::GetGlobal => misc::get_global(cx, op, found),
        M::Assume => misc::assume(cx, op, found),
        M::PrintTko => misc::print(cx, op, found),
        M::For | M::Loop | M::If => control::carried(cx, op, found),
        M::Reduce | M::Scan => reduce::operands(cx, op, found),
        M::Addf
        | M::Subf
        | M::Mulf
        | M::Divf
        | M::Fma
        | M::Sqrt
        | M::Rsqrt
        | M::Exp2
        | M::Maxf
        | M::Minf
        | M::Exp
        | M::Tanh => convert::f32_only(cx, op, found),
        _ => {}
    }
}

/// Hints that the compiler ignores.
fn hints(cx: &Cx, op: &Op, found: Found) {
    if let Attr::Hints(hints) = cx.attr(op, "optimization_hints") {
        let place = cx.attr_place(op, "optimization_hints");
        found.extend(hint::check(hints, op.op, place, cx.text, cx.context.options.version));
    }
}

/// Checks what depends on the regions of an op.
pub(crate) fn regions(cx: &Cx, id: OpId, found: Found) {
    let op = cx.body.op(id);
    match op.op {
        M::Reduce | M::Scan => reduce::body(cx, op, found),
        M::For | M::Loop => control::arguments(cx, op, found),
        M::If => control::branches(cx, op, found),
        _ => {}
    }
}

/// Checks ops that may not stand in a region of this op; what is found is about those.
pub(crate) fn contents(cx: &Cx, id: OpId, found: Found) {
    let op = cx.body.op(id);
    if matches!(op.op, M::Reduce | M::Scan) {
        reduce::impure(cx, op, found);
    }
}

impl<'a> Cx<'a> {
    /// The type of the only value of an operand.
    fn operand(&self, op: &Op, index: usize) -> Option<Type> {
        self.body.operand(op, index).map(|value| self.body.ty(value)).filter(|ty| !ty.is_unknown())
    }

    /// The tile type of the only value of an operand.
    fn tile(&self, op: &Op, index: usize) -> Option<&'static TileType> {
        self.operand(op, index)?.as_tile()
    }

    /// The type of a result.
    fn result(&self, op: &Op, index: usize) -> Option<Type> {
        let value = Value(op.results.start + index as u32);
        (value.0 < op.results.end).then(|| self.body.ty(value)).filter(|ty| !ty.is_unknown())
    }

    fn result_tile(&self, op: &Op, index: usize) -> Option<&'static TileType> {
        self.result(op, index)?.as_tile()
    }

    fn attr(&self, op: &Op, name: &str) -> &'a Attr {
        match op.op.row().attr(name) {
            Some((index, _)) => self.body.attr(op, index),
            None => &Attr::Absent,
        }
    }

    /// Where an attribute is written.
    fn attr_place(&self, op: &Op, name: &str) -> Range<u32> {
        let index = op.op.row().attr(name).map(|(index, _)| index);
        index.and_then(|index| self.places.attrs.get(index)).cloned().unwrap_or_else(|| self.places.name.clone())
    }

    /// The brackets with the indices of an op in custom form, the first behind its name.
    fn index_list(&self) -> Option<Range<u32>> {
        let behind = self.text.get(self.places.name.end as usize..).filter(|_| !self.places.generic)?;
        let start = behind.find('[')?;
        let length = behind[start..].find(']')? + 1;
        let start = self.places.name.end + start as u32;
        Some(start..start + length as u32)
    }

    /// Whether no line break lies between two places, the first before the second.
    fn on_one_line(&self, first: &Range<u32>, second: &Range<u32>) -> bool {
        self.text.get(first.end as usize..second.start as usize).is_some_and(|between| !between.contains('\n'))
    }

    /// The op that ends a region.
    fn last(&self, region: RegionId) -> Option<OpId> {
        self.body.region(region).ops.last().copied()
    }

    /// Where the name of an op stands.
    fn name_of(&self, op: OpId) -> Range<u32> {
        self.spans.op_names[op.0 as usize].clone()
    }

    /// The types of an op's operands.
    fn operand_types(&self, op: &Op) -> Vec<Type> {
        self.body.operands(op).iter().map(|&value| self.body.ty(value)).collect()
    }

    /// Where the type of a result is written.
    fn result_place(&self, index: u8) -> Range<u32> {
        self.type_place(Slot::Result(index), 0)
    }

    fn type_place(&self, slot: Slot, position: usize) -> Range<u32> {
        let mut written = self.places.types.iter().filter(|(of, _)| *of == slot);
        written.nth(position).map_or_else(|| self.places.name.clone(), |(_, range)| range.clone())
    }
}
