//! The options of a run, and its statistics.

use crate::memory::AllocationId;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use tile_analysis::ir;

/// The argument for a parameter of the entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// A number, by its bits.
    Scalar(u64),
    /// A pointer to the first element of an allocation.
    Pointer(AllocationId),
    /// A pointer this many bytes past the start of an allocation.
    Address(AllocationId, i64),
}

/// The number of tile blocks of a grid, at most `u64::MAX`.
pub fn blocks(grid: [u32; 3]) -> u64 {
    grid.into_iter().fold(1, |blocks, extent| u64::saturating_mul(blocks, extent.into()))
}

/// The options of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of tile blocks along x, y and z.
    pub grid: [u32; 3],
    /// Stops the run at the next loop iteration or tile block when another thread sets it.
    pub cancel: Arc<AtomicBool>,
    /// The maximum memory for the tiles of all concurrently running blocks, in bytes.
    pub max_bytes: u64,
    /// The number of ops after which the run stops with R0402.
    pub max_ops: Option<u64>,
    /// Whether to check for undefined behavior, which takes longer: conditions on numbers (`assume`, overflow flags,
    /// shift amounts, the range of conversions to integers), unspecified elements, and the order of memory accesses
    /// within and between tile blocks. Tile blocks then run one after another.
    pub sanitize: bool,
    /// A seed that selects another allowed order: tile blocks begin in shuffled order, and accesses that no token
    /// orders are deferred. Blocks then run one after another, unless they can wait for each other; in that case a
    /// sanitized run keeps their order.
    pub schedule: Option<u64>,
    /// What to report during the run.
    pub watch: Watch,
    /// The number of threads that run tile blocks from the start, where blocks can run concurrently. By default, a long
    /// run gets one for each core.
    pub threads: Option<usize>,
    /// The number of tile blocks that have ended, for progress reports of another thread.
    pub ended: Arc<AtomicU64>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            grid: [1; 3],
            cancel: Arc::default(),
            max_bytes: u64::MAX,
            max_ops: None,
            sanitize: false,
            schedule: None,
            watch: Watch::default(),
            threads: None,
            ended: Arc::default(),
        }
    }
}

/// What to report during the run.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// The values to report whenever they are computed.
    pub trace: Vec<ir::Value>,
    /// Whether all elements of a large tile are shown.
    pub whole: bool,
    /// Whether the elements of reported tiles are attached as bytes.
    pub contents: bool,
    /// The only tile block whose values are reported.
    pub block: Option<[u32; 3]>,
    /// Whether time and bytes are counted by op.
    pub profile: bool,
    /// Whether the accessed memory is reported.
    pub accesses: bool,
    /// Whether what each value held is summarized.
    pub records: bool,
    /// Whether the observer sees every op before it runs, and may block it. Tile blocks then run one after another, and
    /// values are kept until they are recomputed.
    pub steps: bool,
}

impl Watch {
    /// Whether anything is watched.
    pub(crate) fn is_needed(&self) -> bool {
        self.profile || self.accesses || self.records || self.steps || !self.trace.is_empty()
    }
}

/// The statistics of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// The number of tile blocks that ran.
    pub blocks: u64,
    /// The number of ops that ran in all of them.
    pub ops: u64,
}
