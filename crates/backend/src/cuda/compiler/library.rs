//! Tile libraries, which programs can be linked with.

use super::super::object_file;
use serde::{Deserialize, Serialize};
use std::path::Path;
use tile_analysis::ir::{Attr, Body, OpId};
use tile_dialect::{AttrName, Mnemonic, PREVIEW_FEATURE};
use tile_input::MAX_PROGRAM;

/// The maximum number of attempts of a compilation with libraries. NVIDIA's linker crashes at random.
pub(super) const ATTEMPTS: usize = 6;

/// The section with the bytecode of the library's interface.
const INTERFACE: &str = ".nvtlifc";

/// The section with the bytecode of the library's implementations.
const IMPLEMENTATION: &str = ".nvtl.0";

/// A tile library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Library {
    /// The name of its file, for messages.
    name: String,
    bytes: Vec<u8>,
}

impl Library {
    /// Reads a library. The error names the file that cannot be read.
    pub fn read(path: &Path) -> Result<Library, String> {
        let name = path.display().to_string();
        let read = |path: &Path| tile_input::read(path, MAX_PROGRAM);
        let bytes = read(path).map_err(|error| format!("cannot read the library `{name}`: {error}"))?;
        Ok(Library { name, bytes })
    }

    /// The name of its file.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Its bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// The bytecode in a tile library, with titles: the interface, then the implementations. Empty for any other file.
pub fn bytecode_of_library(file: &[u8]) -> Vec<(&'static str, &[u8])> {
    let parts = [("interface", INTERFACE), ("implementation", IMPLEMENTATION)];
    parts.into_iter().filter_map(|(title, name)| Some((title, object_file::section(file, name)?))).collect()
}

/// The first call of a function of a tile library: the op and the function's name without `@`.
pub fn first_call(body: &Body) -> Option<(OpId, &str)> {
    let (id, call) = (0..).map(OpId).zip(&body.ops).find(|(_, op)| op.op == Mnemonic::PreviewCall)?;
    let (callee, _) = call.op.row().attr(AttrName::Callee)?;
    match body.attr(call, callee) {
        Attr::Symbol(callee) => Some((id, callee)),
        _ => None,
    }
}

/// The compiler's option for bytecode that has preview content or is linked with libraries.
pub(super) fn preview_option(bytecode: &[u8], libraries: &[Library]) -> Option<String> {
    let is_preview = tile_bytecode::has_preview(bytecode) || !libraries.is_empty();
    is_preview.then(|| format!("--preview={PREVIEW_FEATURE}"))
}
