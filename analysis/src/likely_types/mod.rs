//! The types of results that an op does not infer from its operands: those that follow from its attributes and lists,
//! and likely ones where the type is free.

mod elements;
mod shapes;
mod statement;
mod tiles;
mod views;

pub(crate) use statement::{Literal, Statement};

use crate::types::Type;
use tile_dialect::Mnemonic;

/// The types of the result of a statement, likeliest first. Some may break a rule of the op.
pub(crate) fn results(statement: &Statement) -> Vec<Type> {
    use Mnemonic as M;
    match statement.named.row.op {
        M::MakeTensorView => statement.tensor_view().into_iter().collect(),
        M::MakePartitionView => statement.partition_views(),
        M::MakeStridedView => statement.strided_views(),
        M::MakeGatherScatterView => statement.gather_scatter_views(),
        M::GetGlobal => statement.global.into_iter().collect(),
        op if elements::is_conversion(op) => statement.conversions(),
        _ => statement.tiles(),
    }
}

/// Whether the only likely type of the result is certain: it follows from what is written.
pub(crate) fn is_certain(statement: &Statement) -> bool {
    use Mnemonic as M;
    let op = statement.named.row.op;
    matches!(op, M::Permute | M::Cat | M::Reduce | M::MakeTensorView | M::GetGlobal | M::Pack)
        || op == M::Constant && statement.literal.as_ref().is_some_and(|literal| !literal.shape.is_empty())
}
