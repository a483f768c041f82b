//! Running on a GPU: NVIDIA's own compiler makes the code, the driver runs it.
//!
//! Nothing here is needed to build or to start. The compiler ([`compiler`]) is a program found at run time; the driver
//! ([`device`]) is a library that a worker loads when it gets a job for a GPU, and nobody else does.
//!
//! - [`compiler`]: finding `tileiras` and calling it;
//! - [`device`]: buffers, launch and time, through the driver;
//! - [`capture`]: what kernels print, which the driver writes to standard output;
//! - [`marks`]: telling which op printed what; [`asserts`]: which assertion failed.

pub mod asserts;
pub mod capture;
pub mod compiler;
pub mod device;
pub mod marks;
