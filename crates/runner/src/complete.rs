//! A run from the arguments to the verdicts.

use crate::contents::{self, Viewed};
use crate::events::{Event, Events, Stage};
use crate::placement::write_addresses;
use crate::profile::OpCost;
use crate::recorded::{self, RecordedBuffer, RecordedValue};
use crate::report::{ReportedFinding, Verdict};
use crate::run::Run;
use tile_launch::{LaunchError, Value};

/// The result of a run.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The findings that ended the run.
    pub findings: Vec<ReportedFinding>,
    /// The results of the launch's expectations, in order.
    pub verdicts: Vec<Verdict>,
    /// The cost of each op, most expensive first, if requested.
    pub profile: Vec<OpCost>,
    /// What each value held, in the order of the text, if requested.
    pub values: Vec<RecordedValue>,
    /// The contents of the buffers before and after the run, if requested.
    pub buffers: Vec<RecordedBuffer>,
    /// The number of tile blocks that ran.
    pub blocks: u64,
    /// The time that the kernel ran, in seconds.
    pub seconds: f64,
}

impl Run<'_> {
    /// Runs the launch on the CPU engine and checks its expectations. The error is about the launch.
    pub fn complete(&self, events: &dyn Events) -> Result<Outcome, Box<LaunchError>> {
        let mut before = self.values()?;
        events.send(Event::Stage(Stage::Running));
        let executed = self.execute(&before, None, events);
        write_addresses(&executed.addresses, &mut before);
        let buffers = self.observe_buffers(&before, &executed.after, events);
        let mut findings = executed.found;
        let printed = String::from_utf8_lossy(&executed.printed);
        let verdicts = self.judge(&before, &executed.after, &printed, &mut findings, events);
        let (profile, values) = (executed.profile, executed.values);
        Ok(Outcome { findings, verdicts, profile, values, buffers, blocks: executed.blocks, seconds: executed.seconds })
    }

    /// Reports the contents of a viewed buffer. Returns summaries of all buffers, if requested.
    pub fn observe_buffers(
        &self,
        before: &[(String, Value)],
        after: &[(String, Value)],
        events: &dyn Events,
    ) -> Vec<RecordedBuffer> {
        let watching = self.settings.watching;
        if let Some(Viewed::Buffer(name)) = &watching.view {
            let contents = contents::of_argument(name, before, after);
            contents.into_iter().for_each(|contents| events.send(Event::Contents(Box::new(contents))));
        }
        if watching.buffers { recorded::buffers(before, after) } else { Vec::new() }
    }
}
