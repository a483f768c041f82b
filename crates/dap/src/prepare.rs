//! The launch that an editor wants to debug, and its preparation by the caller.

use tile_backend::worker::Job;
use tile_launch::find::EntryLaunches;

/// The launch that an editor wants to debug.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LaunchRequest {
    /// The path of the program.
    pub program: String,
    /// The entry's name; defaults to the first entry with a launch.
    pub entry: Option<String>,
    /// The launch's name; defaults to the first launch.
    pub launch: Option<String>,
}

/// A launch that is ready to run.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The run.
    pub job: Job,
    /// The entry.
    pub entry: EntryLaunches,
}

/// Prepares a launch, or explains why that is impossible.
pub type Prepare<'a> = &'a dyn Fn(&LaunchRequest) -> Result<Prepared, String>;
