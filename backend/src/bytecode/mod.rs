//! Bytecode: how a program is stored in a file, and handed to NVIDIA's compiler.
//!
//! Invariants:
//! - knows no op by name: what a body holds stands in the table, in each row's [`tile_dialect::layout`];
//! - knows no text: the IR goes in and out, with [`tile_analysis::debug_info`] beside it.

pub mod decode;
mod format;
pub mod varint;

pub use decode::decode;
pub use format::VERSIONS;
