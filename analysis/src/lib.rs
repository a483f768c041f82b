//! What a program means: names, types, rules.
//!
//! Invariants:
//! - knows no LSP type, no file and no async: text in, plain data out;
//! - never fails: a broken line costs that line, every other op keeps its type;
//! - knows no backend.

pub mod diagnostic;
pub mod ir;
pub mod print_format;
pub mod types;
