//! Finds the entry of a launch in a program.

use tile_analysis::context::Options;
use tile_analysis::db::{self, Database, File};
use tile_analysis::lower::Lowered;
use tile_launch::LaunchError;

/// How programs are lowered for a run. Callers have already checked them.
pub fn options() -> Options {
    Options { rules: false, preview: true, ..Options::default() }
}

/// An entry of a program, with its offset.
pub fn entry<'d>(db: &'d Database, file: File, name: &str) -> Option<(u32, &'d Lowered)> {
    let lowered = db::layout(db, file).items.iter().map(|&(start, item)| (start, db::lowered(db, item, file)));
    lowered.into_iter().find(|(_, lowered)| *lowered.body.name == *name)
}

/// The error for an entry that the program does not have.
pub fn unknown_entry(name: &str) -> LaunchError {
    LaunchError { range: 0..0, message: format!("unknown entry `@{name}`"), help: None }
}
