//! Programs that the compiler rejects without a message.

use std::ops::Range;
use tile_analysis::ir::{Body, Op, OpId};
use tile_analysis::program::Program;
use tile_analysis::types::Access;
use tile_dialect::Element;

/// The probable reason for a refusal.
pub(super) struct Refusal {
    /// The name of the offending op, in bytes of the program.
    pub(super) range: Range<u32>,
    /// The unsupported feature.
    pub(super) lacks: String,
    /// How to fix it.
    pub(super) help: String,
}

/// Looks for ops that the compiler is known to reject without a message: gathers and scatters whose sparse indices have
/// fewer than 32 bits (13.4.92, 13.5.37).
pub(super) fn refusal(program: &Program<'_>) -> Option<Refusal> {
    program.entries.iter().find_map(|(start, lowered)| {
        let body = &lowered.body;
        let (op, element) = (0..).map(OpId).zip(&body.ops).find_map(|(id, op)| Some((id, narrow(body, op)?)))?;
        let range = lowered.spans.op_names.get(op.0 as usize).unwrap_or(&lowered.spans.name);
        Some(Refusal {
            range: range.start + start..range.end + start,
            lacks: format!("gathers and scatters with `{element}` indices are not supported"),
            help: "extend the indices to `i32`".to_string(),
        })
    })
}

/// The element type of the sparse index of a gather or scatter, if it is narrower than 32 bits.
fn narrow(body: &Body, op: &Op) -> Option<Element> {
    let row = op.op.row().operands.iter().position(|row| row.name == "view")?;
    let Access::GatherScatter { sparse_dim } = body.ty(body.operand(op, row)?).as_tile_view()?.access else {
        return None;
    };
    let index = *body.group(op, row + 1).get(sparse_dim)?;
    body.ty(index).as_tile()?.number().filter(|element| element.bits() < 32)
}
