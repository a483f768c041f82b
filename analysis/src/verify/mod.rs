//! Checks of single ops that the op table does not express. This module dispatches to one function per rule.

mod constant;
mod context;
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
pub(crate) use context::Cx;

use crate::ir::{Attr, Op, OpId};
use context::Diagnostics;
use tile_dialect::AttrName;
use tile_dialect::Mnemonic as M;

/// Checks an op whose operands have the stated types.
pub(crate) fn op(cx: &Cx, id: OpId, found: Diagnostics) {
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

/// Reports optimization hints that the compiler ignores.
fn hints(cx: &Cx, op: &Op, found: Diagnostics) {
    if let Attr::Hints(hints) = cx.attr(op, AttrName::OptimizationHints) {
        let place = cx.attr_place(op, AttrName::OptimizationHints);
        found.extend(hint::check(hints, op.op, place, cx.text, cx.context.options.version));
    }
}

/// Checks the rules that depend on the regions of an op.
pub(crate) fn regions(cx: &Cx, id: OpId, found: Diagnostics) {
    let op = cx.body.op(id);
    match op.op {
        M::Reduce | M::Scan => reduce::body(cx, op, found),
        M::For => {
            control::arguments(cx, op, found);
            control::unsigned_loop(cx, op, found);
        }
        M::Loop => control::arguments(cx, op, found),
        M::If => control::branches(cx, op, found),
        _ => {}
    }
}

/// Reports ops that are not allowed in a region of this op.
pub(crate) fn contents(cx: &Cx, id: OpId, found: Diagnostics) {
    let op = cx.body.op(id);
    if matches!(op.op, M::Reduce | M::Scan) {
        reduce::impure(cx, op, found);
    }
}
