//! What a hover shows.

use std::ops::Range;

/// Something to show.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// What it is about, in bytes of the file.
    pub range: Range<u32>,
    /// Markdown.
    pub text: String,
}

/// A block of code.
pub(super) fn code(text: &str) -> String {
    format!("```tile\n{text}\n```\n")
}
