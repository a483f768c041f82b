//! Running on a GPU: NVIDIA's own compiler makes the code, the driver runs it.
//!
//! Nothing here is needed to build or to start. The compiler ([`compiler`]) is a program found at run time; the driver
//! ([`device`]) is a library that a worker loads when it gets a job for a GPU, and nobody else does.
//!
//! - [`compiler`]: finding `tileiras`, asking what it can do, calling it; [`cache`]: what was made before;
//! - [`compiler_output`], [`remarks`]: reading what it says; [`places`], [`notes`]: as diagnostics of the program;
//! - [`object_file`]: sections of cubins and tile libraries; [`sass`]: that code as text; [`listing`]: both to read;
//! - [`device`]: buffers, launch and time, through the driver; [`bench`]: what the time is worth;
//! - [`machine`]: what is there, what is missing;
//! - [`capture`]: what kernels print, which the driver writes to standard output;
//! - [`prints`]: printing as on the CPU; [`asserts`]: which assertion failed.

pub mod asserts;
pub mod bench;
pub mod cache;
pub mod capture;
pub mod compiler;
pub mod compiler_output;
pub mod device;
pub mod listing;
pub mod machine;
pub mod notes;
pub mod object_file;
pub mod places;
pub mod prints;
pub mod remarks;
pub mod sass;
