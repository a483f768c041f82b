//! Bytecode: how a program is stored in a file, and handed to NVIDIA's compiler.
//!
//! Invariants:
//! - knows no op by name: what a body holds stands in the table, in each row's [`tile_dialect::layout`];
//! - knows no text: the IR goes in and comes out, with [`tile_analysis::debug_info`] beside it;
//! - never fails half: what a version cannot hold is told, all of it, and nothing is left out silently.

pub mod decode;
pub mod encode;
mod format;
mod unsupported;
pub mod varint;

#[cfg(test)]
mod tests;

pub use decode::{decode, decode_with};
pub use encode::encode;
pub use format::VERSIONS;
pub use unsupported::{PAGE, Site, Unsupported, diagnostics};

use tile_analysis::debug_info::debug_info_of;
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::program::Program;
use tile_dialect::Version;

/// Whether the header of bytecode announces content of the SIMT preview.
pub fn has_preview(bytecode: &[u8]) -> bool {
    const TAG: std::ops::Range<usize> = 10..12;
    let tag = bytecode.get(TAG).and_then(|tag| <[u8; 2]>::try_from(tag).ok());
    bytecode.starts_with(&format::MAGIC) && tag.is_some_and(|tag| u16::from_le_bytes(tag) & format::PREVIEW_BIT != 0)
}

/// The bytecode of a program, or why there is none. `path` is what its file is called in the debug information; without
/// it there is none.
pub fn of_program(program: &Program, path: Option<&str>, version: Version) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let others = unsupported::more_modules(program);
    if !others.is_empty() {
        return Err(others);
    }
    let debug = path.map(|path| debug_info_of(program, path));
    let bytes = encode(&program.module(), debug.as_ref(), version);
    bytes.map_err(|unsupported| diagnostics(program, &unsupported))
}
