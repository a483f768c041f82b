//! Printing options.

use tile_dialect::Version;

/// Options for printing a program.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The form of the ops.
    pub style: Style,
    /// The version whose spellings are used.
    pub version: Version,
}

/// The form in which ops are printed. Modules, globals and entries are always in custom form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Custom form, as people write it.
    Custom,
    /// `"cuda_tile.addi"(%a, %b) <{…}> : (…) -> …`, with all attributes and all types.
    Generic,
}

impl Default for Options {
    fn default() -> Options {
        Options { style: Style::Custom, version: Version::NEWEST }
    }
}
