//! Reports of a run in progress.

use crate::accessed::Accessed;
use crate::contents::Contents;
use crate::trace::Traced;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The stage of a run.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
pub enum Stage {
    /// Creating the buffers. This is the first stage, and is not reported.
    Preparing,
    /// Running the kernel.
    Running,
    /// Checking the expectation at this range of the program's text.
    Comparing(Range<u32>),
    /// Writing the saved buffers to files.
    Saving,
}

/// An event of a run.
#[derive(Debug)]
pub enum Event {
    /// A tile block printed text.
    Printed {
        /// The printing op's name, in bytes of the program's text.
        op: Range<u32>,
        /// The tile block.
        block: [u32; 3],
        /// The printed text.
        text: Vec<u8>,
    },
    /// A traced value was computed.
    Traced(Traced),
    /// An op accessed a buffer.
    Accessed(Accessed),
    /// The contents that the run views.
    Contents(Box<Contents>),
    /// The run has reached a stage.
    Stage(Stage),
}

/// Receives the events of a run.
pub trait Events: Sync {
    /// Receives an event.
    fn send(&self, event: Event);

    /// Does `work`, which runs a kernel with these options. May report its progress meanwhile.
    fn during(&self, _: &tile_engine::Options, work: &mut dyn FnMut()) {
        work();
    }
}
