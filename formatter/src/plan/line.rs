//! The lines of a plan.

/// How to write a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    /// Formatted.
    Plain,
    /// Formatted, but never broken: for `#loc = …` and the end of an entry, a line break ends the statement.
    Whole,
    /// Copied verbatim because it has an error.
    Raw,
    /// An entry, which has its own tree.
    Item {
        /// Whether the entry is in a module and needs no dialect prefix.
        in_module: bool,
    },
}

/// A line, up to the first token of the next one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    /// Its first token.
    pub(crate) first: usize,
    /// Its indentation level.
    pub(crate) depth: usize,
    /// How to write it.
    pub(crate) style: Style,
    /// Whether it starts with the brace that closes a region.
    pub(crate) closes: bool,
    /// Whether it starts a statement.
    pub(crate) starts: bool,
}
