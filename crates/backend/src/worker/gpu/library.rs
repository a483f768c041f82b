//! Checks calls of tile library functions, which need a GPU.

use super::super::protocol::Target;
use super::super::run::JobRun;
use crate::cuda::compiler::first_call;
use tile_launch::LaunchError;

impl JobRun<'_> {
    /// On a GPU, returns an error for a call if there is no library, or if the results are compared with the CPU
    /// engine. On the CPU, the engine reports the call when it is executed.
    pub(in super::super) fn refuse_calls(&self) -> Result<(), Box<LaunchError>> {
        if self.job.target == Target::Cpu {
            return Ok(());
        }
        let Some((op, callee)) = first_call(self.entry) else { return Ok(()) };
        let (message, help) = if self.job.compare {
            let message = format!("nothing to compare with: the CPU engine cannot run `@{callee}`");
            (message, "remove `--compare`")
        } else if self.job.libraries.is_empty() {
            (
                format!("`@{callee}` is called, but no tile library is given"),
                "add a library: `tile run --target cuda -l LIBRARY`",
            )
        } else {
            return Ok(());
        };
        let range = self.place(Some(op));
        let range = range.start as usize..range.end as usize;
        Err(Box::new(LaunchError { range, message, help: Some(help.to_string()) }))
    }
}
