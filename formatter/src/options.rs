//! Options of the formatter.

/// Options of the formatter. There is one style; only the line width can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Maximum line width in columns.
    pub width: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { width: 100 }
    }
}

/// Whether attributes that state the default, such as `rounding<nearest_even>`, are dropped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Defaults {
    Drop,
    Keep,
}
