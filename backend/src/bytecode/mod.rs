//! Bytecode: how a program is stored in a file, and handed to NVIDIA's compiler.
//!
//! Invariants:
//! - knows no op by name: what a body holds stands in the table, in each row's [`tile_dialect::layout`];
//! - knows no text: the IR goes in and comes out, with [`tile_analysis::debug_info`] beside it;
//! - never fails half: what a version cannot hold is told, all of it, and nothing is left out silently.

pub mod decode;
pub mod encode;
mod format;
mod obstacle;
pub mod varint;

#[cfg(test)]
mod tests;

pub use decode::decode;
pub use encode::encode;
pub use format::VERSIONS;
pub use obstacle::{Obstacle, PAGE, Site, diagnostics};

use tile_analysis::db::{self, File, Queries};
use tile_analysis::debug_info::debug_info;
use tile_analysis::diagnostic::Diagnostic;
use tile_dialect::Version;

/// The bytecode of a file without errors, or why there is none. `path` is what the file is called in the debug
/// information; without it there is none.
pub fn of_file(db: &Queries, file: File, path: Option<&str>, version: Version) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let module = db::module(db, file);
    let debug = path.map(|path| debug_info(db, file, path));
    encode(&module, debug.as_ref(), version).map_err(|obstacles| diagnostics(db, file, &obstacles))
}
