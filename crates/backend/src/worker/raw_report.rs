//! The raw result of a run.

use super::protocol::ReportedFinding;
use crate::cuda::bench::Bench;
use crate::cuda::compiler::Crash;
use tile_launch::{Value, find};
use tile_runner::PlacedAddress;
use tile_runner::profile::OpCost;
use tile_runner::recorded::RecordedValue;

/// The result of a run before the expectations are checked.
#[derive(Default)]
pub(super) struct RawReport {
    /// The arguments after the run.
    pub(super) after: Vec<(String, Value)>,
    /// The addresses in buffers before the run.
    pub(super) addresses: Vec<PlacedAddress>,
    /// All printed text.
    pub(super) printed: Vec<u8>,
    /// The findings that ended the run.
    pub(super) found: Vec<ReportedFinding>,
    /// The cost of each op, if requested.
    pub(super) profile: Vec<OpCost>,
    /// What each value held, if requested.
    pub(super) values: Vec<RecordedValue>,
    /// The number of tile blocks that ran.
    pub(super) blocks: u64,
    /// The time that the kernel ran, in seconds.
    pub(super) seconds: f64,
    /// The time spent in the compiler and the driver of a GPU, or in the engine, in seconds.
    pub(super) waited: f64,
    /// Warnings and remarks of the GPU's compiler.
    pub(super) notes: Vec<ReportedFinding>,
    /// The measured throughput, if requested.
    pub(super) bench: Option<Bench>,
    /// A crash of the GPU's compiler.
    pub(super) crash: Option<Box<Crash>>,
    /// The feature that the GPU lacks, if that is why the launch is skipped.
    pub(super) skipped: Option<String>,
}

impl RawReport {
    /// A run that did not begin because of these findings. `skipped` is the feature that the GPU lacks, if that is the
    /// reason.
    pub(super) fn refused(
        before: &[(String, Value)],
        found: Vec<ReportedFinding>,
        skipped: Option<String>,
    ) -> RawReport {
        RawReport { after: before.to_vec(), found, skipped, ..RawReport::default() }
    }

    /// A run that did not begin because the GPU's compiler crashed.
    pub(super) fn crashed(before: &[(String, Value)], crash: Box<Crash>) -> RawReport {
        let (code, message) = (find::PAGE.code.to_string(), crash.to_string());
        let found = ReportedFinding { code, message, range: None, notes: Vec::new(), others: Vec::new() };
        RawReport { crash: Some(crash), ..RawReport::refused(before, vec![found], None) }
    }
}
