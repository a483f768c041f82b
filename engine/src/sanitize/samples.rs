//! How many runs of each reduction are examined.

use rustc_hash::FxHashMap;
use tile_analysis::ir::OpId;

/// How often each reduction was looked at.
#[derive(Debug, Default)]
pub(crate) struct Samples(FxHashMap<OpId, u32>);

impl Samples {
    /// Whether a reduction shall be looked at once more.
    pub(crate) fn wanted(&mut self, op: OpId) -> bool {
        let count = self.0.entry(op).or_default();
        *count += 1;
        *count <= MAX_LOOKS
    }
}

/// The first runs of a reduction are looked at.
const MAX_LOOKS: u32 = 4;
