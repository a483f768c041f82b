//! Optimizations. Each makes a typical kernel at least a fifth faster; the figures are in `docs/architecture.md`. None
//! may change a result; `tests/shortcuts.rs` checks this.

pub(crate) mod affine;
pub(crate) mod batch;
pub(crate) mod fuse;
pub(crate) mod pairwise;
pub(crate) mod reuse;
