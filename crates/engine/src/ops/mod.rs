//! The ops: for each, a planner that creates its kernel.
//!
//! The interpreter implements the ops that have regions or end them.

pub(crate) mod assume;
pub(crate) mod atomic;
pub(crate) mod chapter;
pub(crate) mod context;
pub(crate) mod convert;
pub(crate) mod core;
pub(crate) mod exp;
pub(crate) mod float;
pub(crate) mod float_math;
pub(crate) mod float_order;
pub(crate) mod gemm;
pub(crate) mod integer;
pub(crate) mod integer_check;
pub(crate) mod kernel;
pub(crate) mod library;
pub(crate) mod load_store;
pub(crate) mod matrix;
pub(crate) mod multimem;
pub(crate) mod order;
pub(crate) mod precondition;
pub(crate) mod preconditions;
pub(crate) mod print;
pub(crate) mod printf;
pub(crate) mod reach;
pub(crate) mod shape;
pub(crate) mod tile_view;
pub(crate) mod view;
pub(crate) mod window;

use crate::findings::not_supported;
use crate::ops::chapter::{Chapter, Planner};
use crate::ops::context::OpContext;
use crate::ops::kernel::{Kernel, OpResult};
use tile_dialect::{Mnemonic, OperandName};

static CHAPTERS: [&Chapter; 14] = [
    &integer::CHAPTER,
    &float::CHAPTER,
    &float_math::CHAPTER,
    &float_order::CHAPTER,
    &convert::CHAPTER,
    &core::CHAPTER,
    &shape::CHAPTER,
    &matrix::CHAPTER,
    &view::CHAPTER,
    &library::CHAPTER,
    &load_store::CHAPTER,
    &atomic::CHAPTER,
    &multimem::CHAPTER,
    &print::CHAPTER,
];

/// Creates the kernel of an op.
pub(crate) fn plan(cx: &OpContext<'_>) -> OpResult<Kernel> {
    match find(cx.op.op) {
        Some((planner, _)) => planner(cx),
        None => Err(not_supported::op(cx.op.op)),
    }
}

/// Whether an op has a kernel; the others have regions or end one.
pub(crate) fn has_kernel(op: Mnemonic) -> bool {
    find(op).is_some()
}

/// Whether an op computes element by element: its kernel can then run on any number of elements.
pub(crate) fn is_elementwise(op: Mnemonic) -> bool {
    op == Mnemonic::Constant || op == Mnemonic::Select || find(op).is_some_and(|(_, elementwise)| elementwise)
}

/// Whether the result of an op has the representation of its first operand and only differs in type.
pub(crate) fn is_same_value(cx: &OpContext<'_>) -> bool {
    match cx.op.op {
        Mnemonic::Assume | Mnemonic::Reshape => true,
        // A single element stands for any number of them.
        Mnemonic::Broadcast => cx.operand(OperandName::Source).count == 1,
        Mnemonic::MakeGatherScatterView | Mnemonic::MakePartitionView | Mnemonic::MakeStridedView => true,
        _ => false,
    }
}

fn find(op: Mnemonic) -> Option<(Planner, bool)> {
    CHAPTERS.iter().find_map(|chapter| {
        let (_, planner) = chapter.ops.iter().find(|(name, _)| *name == op)?;
        Some((*planner, chapter.elementwise))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_op_has_a_planner_or_is_control_flow() {
        let own = |op| {
            use Mnemonic::*;
            matches!(op, For | Loop | If | Reduce | Scan | Yield | Continue | Break | Return)
                || matches!(op, Module | Entry | Global | TestingFunc | PreviewFunc | PreviewExternImpl)
        };
        let missing: Vec<_> = tile_dialect::ops()
            .iter()
            .filter(|row| !own(row.op) && find(row.op).is_none())
            .map(|row| row.name)
            .collect();
        assert_eq!(missing, Vec::<&str>::new());
    }
}
