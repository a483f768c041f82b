//! Bad input of the `tile` program: there is one clear message, with a position if possible, and the documented exit
//! status: 0 for success, 1 if the program or its run failed, 2 for wrong usage or a problem with a file or a tool.

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
