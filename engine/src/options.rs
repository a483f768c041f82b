//! How an entry is run, and what the run reports at its end.

use crate::memory::AllocationId;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use tile_analysis::ir;

/// What a parameter of the entry gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// A number, by its bits.
    Scalar(u64),
    /// A pointer to the first element of an allocation.
    Pointer(AllocationId),
    /// A pointer this many bytes past the start of an allocation.
    Address(AllocationId, i64),
}

/// How an entry is run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of tile blocks along x, y and z.
    pub grid: [u32; 3],
    /// Set from another thread, it stops the run at the next iteration of a loop or the next tile block.
    pub cancel: Arc<AtomicBool>,
    /// How many bytes the tiles of all blocks that run at the same time may take.
    pub max_bytes: u64,
    /// The number of ops after which the run is given up.
    pub max_ops: Option<u64>,
    /// Whether all is checked that the language leaves undefined, which takes longer: promises about numbers (`assume`,
    /// overflow flags, shift amounts, the range of conversions to integers), unspecified elements, and the order of
    /// accesses to memory, within a tile block and between tile blocks. Tile blocks then run one after another.
    pub sanitize: bool,
    /// A seed that picks another order of what nothing orders: tile blocks begin shuffled, and accesses to memory that no
    /// token orders come later than they stand. Blocks run one after another then, unless they may wait for each other;
    /// if so and the run sanitizes, they keep their order.
    pub schedule: Option<u64>,
    /// What is told beside.
    pub watch: Watch,
    /// Counts the tile blocks that have ended, for another thread to look at.
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
            ended: Arc::default(),
        }
    }
}

/// What is watched.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// The values that are told of whenever they are computed.
    pub trace: Vec<ir::Value>,
    /// Whether all elements of a large tile are shown.
    pub whole: bool,
    /// The only tile block whose values are told of.
    pub block: Option<[u32; 3]>,
    /// Whether time and bytes are counted by op.
    pub profile: bool,
    /// Whether the observer sees every op before it runs, and may keep it waiting. Tile blocks run one after another then,
    /// and values stay until they are computed anew.
    pub steps: bool,
}

impl Watch {
    /// Whether anything is watched.
    pub(crate) fn is_needed(&self) -> bool {
        self.profile || self.steps || !self.trace.is_empty()
    }
}

/// What a run did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// How many tile blocks ran.
    pub blocks: u64,
    /// How many ops ran in all of them.
    pub ops: u64,
}
