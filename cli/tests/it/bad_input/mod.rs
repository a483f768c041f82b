//! What the `tile` program makes of bad input: one clear message in the user's terms, at its place where there is one,
//! and the exit status of the contract: 0 fine, 1 the program or its run is at fault, 2 the usage, a file or a tool is.

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
