//! A line of directives.

use crate::directive::SIGN;
use std::ops::Range;

/// A line of directives up to an offset, without its `//@`.
pub(super) struct DirectiveLine<'t> {
    /// The offset of the text after `//@`.
    pub(super) start: usize,
    /// That text.
    pub(super) text: &'t str,
    /// The part of it before the offset.
    pub(super) before: &'t str,
}

impl<'t> DirectiveLine<'t> {
    pub(super) fn at(text: &'t str, offset: u32) -> Option<DirectiveLine<'t>> {
        let offset = offset as usize;
        let first = text.get(..offset)?.rfind('\n').map_or(0, |at| at + 1);
        let end = text[offset..].find('\n').map_or(text.len(), |at| offset + at);
        let mark = text[first..end].find(SIGN).filter(|at| text[first..first + at].trim().is_empty())?;
        let start = first + mark + SIGN.len();
        let before = text.get(start..offset)?;
        Some(DirectiveLine { start, text: &text[start..end], before })
    }

    /// The word around the end of `before`.
    pub(super) fn word(&self) -> Range<usize> {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let start = self.before.trim_end_matches(is_word).len();
        let rest = &self.text[self.before.len()..];
        start..self.before.len() + rest.find(|c| !is_word(c)).unwrap_or(rest.len())
    }
}
