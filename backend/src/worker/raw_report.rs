//! What a run came to.

use super::placement::PlacedAddress;
use super::profile::OpCost;
use super::protocol::ReportedFinding;
use crate::cuda::bench::Bench;
use crate::cuda::compiler::Crash;
use tile_launch::{Value, find};

/// What a run came to, before anything is compared.
#[derive(Default)]
pub(super) struct RawReport {
    /// The arguments as the run left them.
    pub(super) after: Vec<(String, Value)>,
    /// The addresses that buffers held before the run.
    pub(super) addresses: Vec<PlacedAddress>,
    /// All that was printed.
    pub(super) printed: Vec<u8>,
    /// What the run found; it stopped there.
    pub(super) found: Vec<ReportedFinding>,
    /// What each op has cost, if that was counted.
    pub(super) profile: Vec<OpCost>,
    /// How many tile blocks ran.
    pub(super) blocks: u64,
    /// How long the kernel ran.
    pub(super) seconds: f64,
    /// How long the compiler and the driver of a GPU took, or the engine.
    pub(super) waited: f64,
    /// What the compiler of a GPU said of a program that it compiled.
    pub(super) notes: Vec<ReportedFinding>,
    /// How long it takes, if it was run for that.
    pub(super) bench: Option<Bench>,
    /// A crash of the compiler of a GPU, of which there is no code then.
    pub(super) crash: Option<Box<Crash>>,
    /// What the GPU lacks, for which its compiler refuses the program.
    pub(super) skipped: Option<String>,
}

impl RawReport {
    /// A run that did not begin, for these reasons. If the GPU lacks something, it is that.
    pub(super) fn refused(
        before: &[(String, Value)],
        found: Vec<ReportedFinding>,
        skipped: Option<String>,
    ) -> RawReport {
        RawReport { after: before.to_vec(), found, skipped, ..RawReport::default() }
    }

    /// A run that did not begin because the compiler of the GPU crashed.
    pub(super) fn crashed(before: &[(String, Value)], crash: Box<Crash>) -> RawReport {
        let (code, message) = (find::PAGE.code.to_string(), crash.to_string());
        let found = ReportedFinding { code, message, range: None, notes: Vec::new(), others: Vec::new() };
        RawReport { crash: Some(crash), ..RawReport::refused(before, vec![found], None) }
    }
}
