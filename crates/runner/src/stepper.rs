//! The control of a run op by op, as a debugger needs it.

use crate::placement::Placement;
use tile_engine::At;
use tile_engine::findings::Finding;
use tile_launch::Value;

/// Controls a run op by op.
pub trait Stepper {
    /// Called before each op. Returns whether the run continues.
    fn before(&mut self, at: &At<'_>, arguments: Arguments<'_>) -> bool;

    /// Called when an op has failed.
    fn failed(&mut self, at: &At<'_>, arguments: Arguments<'_>, finding: &Finding);

    /// Called after the run. Returns whether the launch runs again from the start.
    fn restart(&mut self) -> bool;
}

/// The arguments of a controlled launch.
#[derive(Clone, Copy)]
pub struct Arguments<'a> {
    /// The values before the run, one for each parameter.
    pub before: &'a [(String, Value)],
    /// Their places in memory.
    pub placement: &'a Placement,
}
