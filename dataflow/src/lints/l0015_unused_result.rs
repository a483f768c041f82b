//! L0015: unused result.

use super::entry::Entry;
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::diagnostics::accesses::unused_result;
use tile_analysis::ir::{OpId, Value};
use tile_analysis::unused::unused_ops;

/// Reports ops without side effects whose results are not used.
pub(super) fn unused(entry: &Entry<'_>) -> Vec<Diagnostic> {
    let body = entry.names.body;
    let of_op = |id: OpId| {
        let range = entry.names.spans.statements.get(id.0 as usize)?.clone();
        let op = body.op(id);
        let is_used = op.results.clone().any(|value| body.uses(Value(value)).next().is_some());
        Some(unused_result(range, op.op.row().name, is_used))
    };
    unused_ops(body).into_iter().filter_map(of_op).collect()
}
