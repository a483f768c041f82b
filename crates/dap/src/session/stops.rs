//! Requests about breakpoints.

use super::Session;
use crate::protocol::*;
use crate::values;
use std::path::Path;
use tile_backend::debug::Command;

impl Session<'_> {
    /// Replaces all breakpoints of a file, and returns their locations.
    pub(super) fn set_breakpoints(&mut self, arguments: &SetBreakpointsArguments) -> Result<Breakpoints, String> {
        let wanted = &arguments.breakpoints;
        let source = self.source.as_ref().ok_or("nothing has been launched")?;
        if !is_same(&arguments.source.path, &source.path) {
            let other = Breakpoint::unverified("this file is not being debugged".to_string());
            return Ok(Breakpoints { breakpoints: vec![other; wanted.len()] });
        }
        let answer = self.breakpoints.set_lines(wanted, source);
        self.update(Command::Breakpoints(self.breakpoints.lines.clone()));
        Ok(answer)
    }

    pub(super) fn data_breakpoint_info(
        &self,
        arguments: DataBreakpointInfoArguments,
    ) -> Result<DataBreakpointInfo, String> {
        self.stopped()?;
        let DataBreakpointInfoArguments { variables_reference, name } = arguments;
        let child = variables_reference.and_then(|reference| self.rows.child(reference, &name));
        let formula = child.unwrap_or_else(|| values::formula(&name, false));
        let info = |data_id, description| DataBreakpointInfo {
            data_id,
            description,
            access_types: &["write"],
            can_persist: true,
        };
        Ok(match self.running()?.observe(&formula) {
            Ok(()) => info(Some(formula.clone()), formula),
            Err(why) => info(None, why),
        })
    }

    /// Replaces the data breakpoints of the editor.
    pub(super) fn set_data_breakpoints(
        &mut self,
        arguments: &SetDataBreakpointsArguments,
    ) -> Result<Breakpoints, String> {
        let source = self.source.as_ref().ok_or("nothing has been launched")?;
        let answer = self.breakpoints.set_data(&arguments.breakpoints, source);
        self.update(Command::DataBreakpoints(self.breakpoints.data()));
        Ok(answer)
    }

    /// Sends breakpoints to the run, if there is one.
    pub(super) fn update(&self, command: Command) {
        if let Some(run) = &self.run {
            // Fails if the run has ended, which needs no breakpoints.
            let _ = run.command(command);
        }
    }
}

/// Whether two paths denote the same file.
fn is_same(one: &str, other: &str) -> bool {
    let real = |path: &str| Path::new(path).canonicalize().ok();
    one == other || real(one).is_some_and(|one| Some(one) == real(other))
}
