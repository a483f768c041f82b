//! Breakpoints, as an editor sets them.

use crate::protocol::{Breakpoint, DataBreakpoint, SourceBreakpoint};
use crate::source::Source;
use tile_backend::debug::{self, Trigger, parse_message};

/// Finds the op of a breakpoint, and parses its formulas.
pub(crate) fn resolve(wanted: &SourceBreakpoint, source: &Source) -> Result<debug::Breakpoint, Breakpoint> {
    let Some(op) = source.op_on(wanted.line) else {
        return Err(unverified(format!("no op of `@{}` on this line or below", source.body().name)));
    };
    let SourceBreakpoint { condition, hit_condition, log_message, .. } = wanted;
    source.with_scope(op, |scope| {
        let trigger = Trigger::parse(condition, hit_condition, scope).map_err(unverified)?;
        let message = (!log_message.is_empty()).then(|| parse_message(log_message, scope)).transpose();
        Ok(debug::Breakpoint { op: op.0, trigger, message: message.map_err(unverified)? })
    })
}

/// Parses a data breakpoint. Its condition can refer to the parameters, which are in scope at every op.
pub(crate) fn resolve_data(wanted: &DataBreakpoint, source: &Source) -> Result<debug::DataBreakpoint, Breakpoint> {
    source.with_parameters(|scope| {
        let elements = scope.parse(&wanted.data_id).map_err(unverified)?;
        let trigger = Trigger::parse(&wanted.condition, &wanted.hit_condition, scope).map_err(unverified)?;
        Ok(debug::DataBreakpoint { elements, trigger })
    })
}

/// The answer for a breakpoint that has no effect.
pub(crate) fn unverified(message: String) -> Breakpoint {
    Breakpoint { verified: false, line: None, message: Some(message) }
}
