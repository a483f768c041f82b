//! Runs kernels on a GPU: NVIDIA's compiler generates the code, and the driver runs it.
//!
//! Neither is needed to build or start `tile`. The compiler ([`compiler`]) is a program that is searched for at run
//! time. The driver ([`device`]) is a library that only workers with a job for a GPU load.
//!
//! - [`compiler`]: finds `tileiras`, queries its capabilities and runs it; [`cache`]: stores its results;
//! - [`compiler_output`], [`remarks`]: parse its output; [`places`], [`notes`]: turn that into diagnostics;
//! - [`object_file`]: sections of cubins and tile libraries; [`sass`]: disassembly; [`listing`]: PTX or SASS as text;
//!   [`annotate`]: with source lines, classes and live registers;
//! - [`device`]: buffers, launches and timing through the driver; [`bench`]: throughput;
//! - [`machine`]: the GPUs and tools of a machine, and missing ones;
//! - [`capture`]: the output of kernels, which the driver writes to standard output;
//! - [`prints`]: printing as on the CPU engine; [`asserts`]: failed assertions.

pub mod annotate;
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
pub mod occupancy;
pub mod places;
pub mod prints;
pub mod remarks;
pub mod resources;
pub mod sass;
