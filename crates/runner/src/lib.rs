//! Runs launches on the CPU engine: creates the buffers, runs the kernel, checks the expectations, and keeps what was
//! observed.
//!
//! Invariants:
//! - works wherever the engine does, also in a browser: it knows no processes, threads, files, GPUs or messages;
//! - what it needs from the system, and what it reports while a kernel runs, are traits of the caller ([`System`],
//!   [`Events`]).
//!
//! - `load`, `run`, `settings`: a launch of a lowered program, and how it runs;
//! - `arguments`, `placement`, `buffers`: the values of the launch, and their places in the engine's memory;
//! - `execute`, `stepper`: the run; `judge`, `gradient`: the expectations; `complete`: all of it;
//! - `contents`, `recorded`, `trace`, `profile`, `accessed`: observations; `held`: their text in hovers; `viewer`: the
//!   page of a tile; `summary`: the result in one line;
//! - `access`, `hints`, `entry_pages`: what is known of launches without a run, in hovers, as diagnostics and as pages.

pub mod access;
pub mod accessed;
mod arguments;
pub mod base64;
mod buffers;
mod complete;
pub mod contents;
mod entry_pages;
mod events;
mod execute;
mod gradient;
pub mod held;
pub mod hints;
mod judge;
pub mod load;
mod placement;
mod printed_text;
pub mod profile;
pub mod recorded;
mod report;
mod run;
mod settings;
mod stepper;
mod summary;
mod system;
mod timer;
pub mod trace;
pub mod viewer;

pub use complete::Outcome;
pub use entry_pages::EntryAt;
pub use events::{Event, Events, Stage};
pub use execute::Executed;
pub use placement::{PlacedAddress, Placement, forget_addresses, write_addresses};
pub use report::{ReportedFinding, Verdict};
pub use run::{Run, bits};
pub use settings::{Settings, Watching};
pub use stepper::{Arguments, Stepper};
pub use summary::{blocks_in, summary};
pub use system::{Alarm, System};
pub use timer::Timer;
