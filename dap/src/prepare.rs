//! What an editor wants debugged, and what the caller makes of it.

use tile_backend::worker::Job;
use tile_launch::find::EntryLaunches;

/// What an editor wants debugged.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// The path of the program.
    pub program: String,
    /// The entry's name; the first entry with a launch where it is left out.
    pub entry: Option<String>,
    /// The launch's name; the first launch where it is left out.
    pub launch: Option<String>,
}

/// A launch that can be run.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The run.
    pub job: Job,
    /// The entry.
    pub entry: EntryLaunches,
}

/// Makes a launch ready, or says why that cannot be done.
pub type Prepare<'a> = &'a dyn Fn(&Wanted) -> Result<Prepared, String>;
