//! The semantics of programs: names, types, rules.
//!
//! Invariants:
//! - no LSP types, no files and no async: text in, plain data out;
//! - never fails: a broken line only affects that line, every other op keeps its type;
//! - does not know the backends.

pub mod batch;
pub mod build;
pub mod context;
pub mod db;
pub mod debug_info;
pub mod diagnostic;
pub mod diagnostics;
pub mod fixes;
pub mod foreign;
pub mod gpu;
pub mod ide;
pub mod ir;
pub mod levels;
pub mod lines;
pub mod lower;
pub mod number;
mod outer;
pub mod outline;
pub mod preview;
pub mod print;
pub mod print_format;
pub mod program;
pub mod range_analysis;
pub mod read;
pub mod render;
pub mod source;
pub mod suggest;
mod syntax_errors;
pub mod types;
mod verify;
