//! The lines of a plan.

/// How a line is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    /// Laid out.
    Plain,
    /// Laid out but never broken: `#loc = …` and the end of an entry, which a line break would end.
    Whole,
    /// Verbatim, because it has an error.
    Raw,
    /// An entry, which has a separate tree. In a module it can omit its dialect prefix.
    Item {
        /// Whether the entry is in a module.
        in_module: bool,
    },
}

/// A line, up to the token that starts the next one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    /// Its first token.
    pub(crate) first: usize,
    /// Its indentation level.
    pub(crate) depth: usize,
    /// How it is written.
    pub(crate) style: Style,
    /// Whether it starts with the closing brace of a region.
    pub(crate) closes: bool,
    /// Whether a statement starts with it.
    pub(crate) starts: bool,
}
