//! The tables of planners, by op.

use crate::findings::OpResult;
use crate::ops::context::OpContext;
use crate::ops::kernel::Kernel;
use tile_dialect::Mnemonic;

/// Creates the kernel of an op.
pub(crate) type Planner = fn(&OpContext<'_>) -> OpResult<Kernel>;

/// The planners of one chapter.
pub(crate) struct Chapter {
    pub(crate) ops: &'static [(Mnemonic, Planner)],
    /// Whether all of them compute element by element, for any number of elements.
    pub(crate) elementwise: bool,
}
