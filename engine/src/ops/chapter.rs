//! The tables that name the planner of each op.

use crate::findings::OpResult;
use crate::ops::context::OpContext;
use crate::ops::kernel::Kernel;
use tile_dialect::Mnemonic;

/// Makes the kernel of an op.
pub(crate) type Planner = fn(&OpContext<'_>) -> OpResult<Kernel>;

/// The planners of one chapter.
pub(crate) struct Chapter {
    pub(crate) ops: &'static [(Mnemonic, Planner)],
    /// Whether they all compute element by element, whatever the number of elements.
    pub(crate) elementwise: bool,
}
