//! How text is laid out.

/// How text is laid out. There is one style; what can be chosen is where a line is too long for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many columns a line may take before it is broken.
    pub width: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { width: 100 }
    }
}

/// What becomes of words that say what holds anyway.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Defaults {
    Go,
    Stay,
}
