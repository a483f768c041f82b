//! Runs kernels in worker processes.
//!
//! A worker ([`serve`]) owns the device, so a kernel can only break the worker. The client ([`client`]) can kill it and
//! start another. They exchange length-prefixed messages ([`protocol`]) over the worker's standard input and output, so
//! a launcher such as `ssh` can start the worker on another machine.

pub mod bench;
mod candidate_code;
pub mod client;
pub mod compare;
mod cpu;
mod data;
mod debugger;
mod error;
mod event_sink;
mod free_memory;
mod gpu;
pub mod host;
mod job;
mod killer;
mod launcher_output;
mod outside;
pub mod pool;
pub mod protocol;
mod raw_report;
mod requests;
mod run;
mod running_launcher;
mod sandbox;
mod saved;
mod serve;
mod starting;
mod system;

pub use candidate_code::cubin;
pub use client::{Commander, Worker};
pub use data::{DataFiles, MAX_DATA};
pub use error::WorkerError;
pub use host::{Host, HostWorkers, Start};
pub use killer::Killer;
pub use pool::{HostEvent, Outcome, PoolEvent, Service, Stopper};
pub use protocol::{Event, Job, Report, ReportedFinding, Stage, Target, Verdict, Watching};
pub use sandbox::Sandbox;
pub use serve::{serve, serve_queue, serve_sandboxed, serve_standard};
pub use tile_runner::{accessed, contents, profile, recorded, trace};
