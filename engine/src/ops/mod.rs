//! The ops: for each, a planner that turns it into a kernel.
//!
//! Ops that run regions or end them are the plan's and the machine's own.

pub(super) mod assume;
mod atomic;
mod convert;
mod core;
pub(super) mod even;
mod exp;
mod float;
mod float_math;
mod float_order;
mod gemm;
mod grid;
mod integer;
mod integer_check;
mod library;
pub(super) mod line;
mod load_store;
mod matrix;
pub(super) mod multimem;
mod order;
pub(super) mod pairwise;
mod print;
mod printf;
pub(super) mod promise;
pub(super) mod reach;
mod shape;
pub(super) mod strip;
mod tile_view;
mod view;
mod window;

use super::kernel::{Kernel, Outcome};
use super::site::Site;
use crate::findings::not_supported;
use tile_dialect::Mnemonic;

/// Makes the kernel of an op.
type Planner = fn(&Site<'_>) -> Outcome<Kernel>;

/// The planners of one chapter.
struct Chapter {
    ops: &'static [(Mnemonic, Planner)],
    /// Whether they all compute element by element, whatever the number of elements.
    elementwise: bool,
}

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

/// Makes the kernel of an op.
pub(super) fn plan(site: &Site<'_>) -> Outcome<Kernel> {
    match find(site.op.op) {
        Some((planner, _)) => planner(site),
        None => Err(not_supported::op(site.op.op)),
    }
}

/// Whether an op computes element by element: its kernel may then run on any number of elements.
pub(super) fn is_elementwise(op: Mnemonic) -> bool {
    op == Mnemonic::Constant || op == Mnemonic::Select || find(op).is_some_and(|(_, elementwise)| elementwise)
}

/// Whether the result of an op is held just as its first operand, which its type alone tells apart.
pub(super) fn is_same_value(site: &Site<'_>) -> bool {
    match site.op.op {
        Mnemonic::Assume | Mnemonic::Reshape => true,
        // One element stands for any number of them.
        Mnemonic::Broadcast => site.operand("source").count == 1,
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
