//! Marks of tokens in a plan.

/// A mark of one token.
pub(crate) mod mark {
    /// There is no space before it.
    pub(crate) const TIGHT: u16 = 1;
    /// There is a space before it, whatever it follows.
    pub(crate) const APART: u16 = 2;
    /// It is written without its dialect prefix.
    pub(crate) const SHORT: u16 = 4;
    /// It starts the statement's types: `:`, `->`, or the location after them.
    pub(crate) const TYPES: u16 = 8;
    /// It starts a clause: `token = …`, `iter_values(…)`.
    pub(crate) const CLAUSE: u16 = 16;
    /// It opens a list that can be written one item per line.
    pub(crate) const OPEN: u16 = 32;
    /// It starts an item of such a list, or a type after the first.
    pub(crate) const ITEM: u16 = 64;
    /// It closes such a list.
    pub(crate) const CLOSE: u16 = 128;
    /// It is omitted.
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

    /// Whether any token is omitted.
    pub(crate) fn drop_any(&self) -> bool {
        self.drop_any
    }
}
