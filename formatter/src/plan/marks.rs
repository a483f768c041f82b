//! Marks that the plan sets on tokens.

/// The marks, as bits.
pub(crate) mod mark {
    /// No space before it.
    pub(crate) const TIGHT: u16 = 1;
    /// A space before it, regardless of the previous token.
    pub(crate) const APART: u16 = 2;
    /// Written without its dialect prefix.
    pub(crate) const SHORT: u16 = 4;
    /// Starts the types of a statement: `:`, `->`, or the location after them.
    pub(crate) const TYPES: u16 = 8;
    /// Starts a clause: `token = …`, `iter_values(…)`.
    pub(crate) const CLAUSE: u16 = 16;
    /// Opens a list that can be written one item a line.
    pub(crate) const OPEN: u16 = 32;
    /// Starts an item of such a list, or a type after the first.
    pub(crate) const ITEM: u16 = 64;
    /// Closes such a list.
    pub(crate) const CLOSE: u16 = 128;
    /// Dropped.
    pub(crate) const DROP: u16 = 256;
}

/// The marks of all tokens of a tree.
pub(crate) struct Marks {
    pub(super) of: Vec<u16>,
    pub(super) drop_any: bool,
}

impl Marks {
    pub(crate) fn has(&self, token: usize, mark: u16) -> bool {
        self.of[token] & mark != 0
    }

    /// Whether any token is dropped.
    pub(crate) fn drop_any(&self) -> bool {
        self.drop_any
    }
}
