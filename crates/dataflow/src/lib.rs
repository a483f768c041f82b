//! Data flow: which elements of memory an entry accesses, and how data moves between memory and tiles.
//!
//! Invariants:
//! - depends on the IR alone: not on launch directives, workers, GPUs, files or editors; a caller passes the
//!   grid, the integer arguments and the sizes of the buffers of a launch;
//! - never runs a kernel, and never fails: what cannot be determined is reported as unknown, with the reason.
//!
//! Modules:
//! - [`symbolic`]: integers as expressions of tile blocks, loops, lanes and parameters;
//! - `interpret`: the symbolic value of every IR value;
//! - [`access`]: the accesses of an entry; [`map`]: their access maps; [`names`]: expressions in the terms of the
//!   source;
//! - [`point`], [`volume`]: the elements that an access touches in a launch; [`repetition`]: loops;
//! - [`overflow`]: integers for which expressions are wrong, and `dependencies`: what is computed from them;
//! - [`contiguity`]: adjacent elements in memory; [`divisibility`]: powers of two that divide a value; [`alignment`]:
//!   where runs of them begin; [`footprint`]: live tiles; [`editor`]: hovers;
//! - [`lints`]: hints about accesses that cost more than they need to;
//! - [`graph`]: the flow of data between memory and tiles; [`view`]: a page that draws accesses.

pub mod access;
pub mod alignment;
pub mod contiguity;
mod dependencies;
pub mod divisibility;
pub mod editor;
pub mod footprint;
pub mod graph;
mod interpret;
pub mod lints;
mod loops;
pub mod map;
pub mod names;
pub mod overflow;
pub mod point;
pub mod repetition;
pub mod symbolic;
pub mod view;
pub mod volume;

use access::Access;
use repetition::Repetition;
use tile_analysis::ir::Body;

/// The accesses of an entry, in the order of its ops.
pub fn accesses(body: &Body) -> Vec<Access> {
    interpret::interpret(body).accesses
}

/// The loops of an entry, in the order of its ops.
pub fn repetitions(body: &Body) -> Vec<Repetition> {
    interpret::interpret(body).repetitions
}
