//! The arguments of a debugged launch.

use crate::worker::placement::Placement;
use tile_launch::Value;

/// The arguments of a debugged launch.
#[derive(Clone, Copy)]
pub(in super::super) struct Arguments<'a> {
    /// The values before the run, one for each parameter.
    pub(in super::super) before: &'a [(String, Value)],
    pub(in super::super) placement: &'a Placement,
}
