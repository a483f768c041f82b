//! What a plan says about tokens.

/// What the plan says about one token.
pub(crate) mod mark {
    /// No blank stands in front of it.
    pub(crate) const TIGHT: u16 = 1;
    /// A blank stands in front of it, whatever it follows.
    pub(crate) const APART: u16 = 2;
    /// It is written without its dialect prefix.
    pub(crate) const SHORT: u16 = 4;
    /// It starts the statement's types: `:`, `->`, or the location behind them.
    pub(crate) const TYPES: u16 = 8;
    /// It starts a clause: `token = …`, `iter_values(…)`.
    pub(crate) const CLAUSE: u16 = 16;
    /// It opens a list that may be written one item a line.
    pub(crate) const OPEN: u16 = 32;
    /// It starts an item of such a list, or a type behind the first.
    pub(crate) const ITEM: u16 = 64;
    /// It closes such a list.
    pub(crate) const CLOSE: u16 = 128;
    /// It is left out.
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

    /// Whether any token is left out.
    pub(crate) fn drop_any(&self) -> bool {
        self.drop_any
    }
}
