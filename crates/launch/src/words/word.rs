//! A word of launch directives.

use tile_dialect::{Notes, Term};

/// A word of launch directives.
#[derive(Debug)]
pub struct Word {
    /// Its name and its page.
    pub term: Term,
    /// Where it can be written.
    pub place: WordContext,
    /// The snippet that editors insert.
    pub snippet: &'static str,
}

/// Where a word of a directive can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordContext {
    /// At the beginning of a line.
    Line,
    /// After `launch`.
    Launch,
    /// After the element and shape of a buffer.
    Init,
    /// Where an address may be written.
    Address,
    /// After `expect`.
    Expect,
    /// As a whole side of a comparison.
    Side,
    /// In a formula.
    Formula,
    /// After a formula.
    Tolerance,
    /// In the parentheses of a function.
    Option,
}

impl WordContext {
    /// The kind of the words in this context, for page headings.
    pub(super) const fn kind(self) -> &'static str {
        match self {
            WordContext::Line | WordContext::Launch => "launch directive",
            WordContext::Init => "buffer content",
            WordContext::Address => "address function",
            WordContext::Expect | WordContext::Side => "expectation",
            WordContext::Formula => "formula function",
            WordContext::Tolerance => "tolerance",
            WordContext::Option => "function option",
        }
    }
}

/// Creates a word, whose kind follows from its context.
pub(super) const fn word(
    place: WordContext,
    name: &'static str,
    snippet: &'static str,
    doc: &'static str,
    notes: Notes,
) -> Word {
    Word { term: Term { name, also: &[], kind: place.kind(), doc, notes, since: None }, place, snippet }
}
