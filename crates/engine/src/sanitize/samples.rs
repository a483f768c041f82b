//! Limits how many runs of each reduction are checked.

use rustc_hash::FxHashMap;
use tile_analysis::ir::OpId;

/// How often each reduction was checked.
#[derive(Debug, Default)]
pub(crate) struct Samples(FxHashMap<OpId, u32>);

impl Samples {
    /// Whether to check a reduction once more.
    pub(crate) fn wanted(&mut self, op: OpId) -> bool {
        let count = self.0.entry(op).or_default();
        *count += 1;
        *count <= MAX_LOOKS
    }
}

/// The number of runs of a reduction that are checked.
const MAX_LOOKS: u32 = 4;
