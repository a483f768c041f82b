//! L0015: unused result.

use crate::names::SourceNames;
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::diagnostics::accesses;
use tile_analysis::unused::UnusedOp;

/// The diagnostic about an op whose results are not used. Its range is relative to the start of the entry's text.
pub fn unused_result(names: SourceNames<'_>, unused: UnusedOp) -> Diagnostic {
    let UnusedOp { op, is_used } = unused;
    let range = names.spans.statements[op.0 as usize].clone();
    accesses::unused_result(range, names.body.op(op).op.row().name, is_used)
}
