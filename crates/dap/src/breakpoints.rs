//! Breakpoints, as an editor or the debug console sets them.

use crate::protocol::{Breakpoint, Breakpoints, DataBreakpoint, SourceBreakpoint};
use crate::source::Source;
use tile_analysis::ir::OpId;
use tile_backend::debug::{self, Trigger, parse_message};

/// The breakpoints of a session.
#[derive(Default)]
pub(crate) struct BreakpointSet {
    /// Those on lines.
    pub(crate) lines: Vec<debug::Breakpoint>,
    /// Those on data.
    data: Vec<debug::DataBreakpoint>,
    /// Those on data that were set in the console.
    console: Vec<debug::DataBreakpoint>,
}

impl BreakpointSet {
    /// Replaces the breakpoints on lines, and returns their locations.
    pub(crate) fn set_lines(&mut self, wanted: &[SourceBreakpoint], source: &Source) -> Breakpoints {
        let found: Vec<_> = wanted.iter().map(|wanted| on_line(wanted, source)).collect();
        self.lines = found.iter().flatten().cloned().collect();
        answer(found, |found| Some(source.op(OpId(found.op)).row))
    }

    /// Replaces the editor's breakpoints on data.
    pub(crate) fn set_data(&mut self, wanted: &[DataBreakpoint], source: &Source) -> Breakpoints {
        let found: Vec<_> = wanted.iter().map(|wanted| on_data(wanted, source)).collect();
        self.data = found.iter().flatten().cloned().collect();
        answer(found, |_| None)
    }

    /// Sets a breakpoint on data in the console, or removes it. Returns whether it is set now.
    pub(crate) fn toggle(&mut self, formula: &str, source: &Source) -> Result<bool, String> {
        let wanted = DataBreakpoint { data_id: formula.to_string(), ..DataBreakpoint::default() };
        let breakpoint = on_data(&wanted, source)?;
        let known = self.console.iter().position(|known| *known == breakpoint);
        match known {
            Some(place) => _ = self.console.remove(place),
            None => self.console.push(breakpoint),
        }
        Ok(known.is_none())
    }

    /// All breakpoints on data.
    pub(crate) fn data(&self) -> Vec<debug::DataBreakpoint> {
        [&self.data[..], &self.console[..]].concat()
    }
}

/// Finds the op of a breakpoint, and parses its formulas.
fn on_line(wanted: &SourceBreakpoint, source: &Source) -> Result<debug::Breakpoint, String> {
    let missing = || format!("no op of `@{}` on this line or below", source.body().name);
    let op = source.op_on(wanted.line).ok_or_else(missing)?;
    let SourceBreakpoint { condition, hit_condition, log_message, .. } = wanted;
    source.with_scope(op, |scope| {
        let trigger = Trigger::parse(condition, hit_condition, scope)?;
        let message = (!log_message.is_empty()).then(|| parse_message(log_message, scope)).transpose()?;
        Ok(debug::Breakpoint { op: op.0, trigger, message })
    })
}

/// Parses a data breakpoint. Its condition can refer to the parameters, which are in scope at every op.
fn on_data(wanted: &DataBreakpoint, source: &Source) -> Result<debug::DataBreakpoint, String> {
    source.with_parameters(|scope| {
        let elements = scope.parse(&wanted.data_id)?;
        Ok(debug::DataBreakpoint {
            elements,
            trigger: Trigger::parse(&wanted.condition, &wanted.hit_condition, scope)?,
        })
    })
}

/// The answer for breakpoints, with the lines of those that were found.
fn answer<T>(found: Vec<Result<T, String>>, line: impl Fn(&T) -> Option<u32>) -> Breakpoints {
    let one = |found: Result<T, String>| match found {
        Ok(found) => Breakpoint { verified: true, line: line(&found), message: None },
        Err(message) => Breakpoint::unverified(message),
    };
    Breakpoints { breakpoints: found.into_iter().map(one).collect() }
}
