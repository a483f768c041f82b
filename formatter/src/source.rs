//! One syntax tree with its text and its layout plan.

use crate::plan::{Marks, mark};
use tile_dialect::DIALECT_PREFIX;
use tile_syntax::{Tokens, Tree};

/// The text of one tree, its tokens and their marks.
#[derive(Clone, Copy)]
pub(crate) struct Source<'t> {
    pub(crate) text: &'t str,
    pub(crate) tree: &'t Tree,
    pub(crate) marks: &'t Marks,
}

impl<'t> Source<'t> {
    pub(crate) fn tokens(self) -> &'t Tokens {
        &self.tree.tokens
    }

    /// The text of a token as it is written, without its dialect prefix if the plan drops it.
    pub(crate) fn word(self, token: usize) -> &'t str {
        let word = self.tokens().text(token, self.text);
        if self.marks.has(token, mark::SHORT) { without_prefix(word) } else { word }
    }

    /// Whether a token is dropped.
    pub(crate) fn drops(self, token: usize) -> bool {
        self.marks.drop_any() && self.marks.has(token, mark::DROP)
    }

    /// The text between two offsets.
    pub(crate) fn slice(self, from: u32, to: u32) -> &'t str {
        &self.text[from as usize..to as usize]
    }

    /// A comment without trailing whitespace.
    pub(crate) fn comment(self, start: u32, end: u32) -> &'t str {
        self.slice(start, end).trim_end_matches(is_blank)
    }

    /// The number of line breaks between two offsets, at most two.
    pub(crate) fn breaks(self, from: u32, to: u32) -> usize {
        self.text.as_bytes()[from as usize..to as usize].iter().filter(|&&byte| byte == b'\n').take(2).count()
    }
}

/// Whether the lexer treats a character as whitespace.
pub(crate) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}')
}

/// Returns `tile` for `!cuda_tile.tile`, `addi` for `cuda_tile.addi`, `div_by` for `#cuda_tile.div_by`.
pub(crate) fn without_prefix(word: &str) -> &str {
    let name = word.strip_prefix(['!', '#']).unwrap_or(word);
    name.strip_prefix(DIALECT_PREFIX).unwrap_or(word)
}
