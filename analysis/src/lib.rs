//! What a program means: names, types, rules.
//!
//! Invariants:
//! - knows no LSP type, no file and no async: text in, plain data out;
//! - never fails: a broken line costs that line, every other op keeps its type;
//! - knows no backend.

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
