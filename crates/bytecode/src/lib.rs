//! Bytecode: the binary format in which programs are stored and passed to NVIDIA's compiler.
//!
//! Invariants:
//! - no op is special-cased by name: the encoding of an op is described by its row's [`tile_dialect::layout`];
//! - the input and output are the IR and its [`tile_analysis::debug_info`], never text;
//! - nothing is dropped silently: the encoder reports everything that a version does not support.

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

use tile_analysis::debug_info::{DebugInfo, debug_info_of};
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::program::Program;
use tile_dialect::Version;

/// Whether the header of bytecode announces content of the SIMT preview.
pub fn has_preview(bytecode: &[u8]) -> bool {
    const TAG: std::ops::Range<usize> = 10..12;
    let tag = bytecode.get(TAG).and_then(|tag| <[u8; 2]>::try_from(tag).ok());
    bytecode.starts_with(&format::MAGIC) && tag.is_some_and(|tag| u16::from_le_bytes(tag) & format::PREVIEW_BIT != 0)
}

/// Encodes a program, or reports why it cannot be encoded. `path` is the file name in the debug information; without
/// it, there is no debug information.
pub fn of_program(program: &Program, path: Option<&str>, version: Version) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let debug = path.map(|path| debug_info_of(program, path));
    with_debug_info(program, debug.as_ref(), version)
}

/// Like [`of_program`], with this debug information.
pub fn with_debug_info(
    program: &Program,
    debug: Option<&DebugInfo>,
    version: Version,
) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let others = unsupported::more_modules(program);
    if !others.is_empty() {
        return Err(others);
    }
    let bytes = encode(&program.module(), debug, version);
    bytes.map_err(|unsupported| diagnostics(program, &unsupported))
}
