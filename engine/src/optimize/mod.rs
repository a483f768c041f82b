//! Optimizations of what the interpreter runs. Each gains a fifth or more on a kernel as people write them; the table is in
//! `docs/architecture.md`. None may change a result (`tests/shortcuts.rs`).

pub(crate) mod affine;
pub(crate) mod batch;
pub(crate) mod fuse;
pub(crate) mod pairwise;
