//! The strategies for running the tile blocks of a launch. Each run uses one of them.
//!
//! - [`interpreted`]: op by op, optimized;
//! - [`batched`]: the same, with many small tile blocks as one;
//! - [`instrumented`]: op by op, with a sanitizer, a schedule or a watcher in any combination;
//! - [`sanitized_batches`]: batches whose memory accesses a sanitizer checks.

pub(crate) mod batched;
pub(crate) mod choose;
pub(crate) mod instrumented;
pub(crate) mod interpreted;
pub(crate) mod launch;
pub(crate) mod sanitized_batches;

pub(crate) use choose::choose;
pub(crate) use launch::Launch;
