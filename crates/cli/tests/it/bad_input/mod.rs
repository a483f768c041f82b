//! Bad input: `tile` prints one clear message in the user's terms, with its location if it has one, and exits with 1
//! for errors in a program or its run, or with 2 for wrong usage, unreadable files or missing tools.

mod arguments;
mod builds;
mod dis;
mod endings;
mod files;
mod findings;
mod formats;
mod hostile;
mod launches;
mod limits;
mod text;
