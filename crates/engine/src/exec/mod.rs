//! Runs an entry: the plan, the interpreter, and the threads that run tile blocks.

pub(crate) mod bind;
pub(crate) mod block_scheduler;
pub(crate) mod deferral;
pub(crate) mod fold;
pub(crate) mod footprint;
pub(crate) mod instrumentation;
pub(crate) mod interpreter;
pub(crate) mod output;
pub(crate) mod plan;
pub(crate) mod random;
pub(crate) mod run;
pub(crate) mod run_fold;
pub(crate) mod schedule;
pub(crate) mod strategy;
pub(crate) mod watch;
