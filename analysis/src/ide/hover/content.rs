//! The content of a hover.

use std::ops::Range;

/// A hover.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// The range that it describes, in bytes of the file.
    pub range: Range<u32>,
    /// The text, in Markdown.
    pub text: String,
}

/// A Markdown code block.
pub(super) fn code(text: &str) -> String {
    format!("```tile\n{text}\n```\n")
}
