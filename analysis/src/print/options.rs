//! How programs are printed.

use tile_dialect::Version;

/// How a program is printed.
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
    /// As the op's row says, as people write it.
    Custom,
    /// `"cuda_tile.addi"(%a, %b) <{…}> : (…) -> …`: every attribute and every type is spelt out.
    Generic,
}

impl Default for Options {
    fn default() -> Options {
        Options { style: Style::Custom, version: Version::NEWEST }
    }
}
