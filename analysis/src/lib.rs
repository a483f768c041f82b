//! Semantic analysis: names, types and rules.
//!
//! Invariants:
//! - independent of LSP types, files and async: text in, plain data out;
//! - never fails: an error affects only its own statement, and every other op keeps its type;
//! - independent of backends.

pub mod batch;
pub mod build;
pub mod context;
pub mod db;
pub mod debug_info;
pub mod diagnostic;
pub mod diagnostics;
mod file_allowances;
pub mod fixes;
pub mod foreign;
pub mod gpu;
pub mod ide;
pub mod ir;
pub mod levels;
mod likely_types;
pub mod lines;
pub mod lower;
pub mod number;
pub mod outline;
pub mod preview;
pub mod print;
pub mod print_format;
pub mod program;
pub mod quota;
pub mod range_analysis;
pub mod read;
pub mod render;
pub mod selection;
pub mod source;
pub mod suggest;
mod syntax_errors;
pub mod types;
pub mod unused;
mod verify;
