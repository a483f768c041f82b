//! Options of the formatter.

/// Options of the formatter. There is one style; only the line width can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The maximum width of a line in columns.
    pub width: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { width: 100 }
    }
}

/// What to do with redundant words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Defaults {
    Go,
    Stay,
}
