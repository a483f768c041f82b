//! A refactoring offered at a position.

use crate::diagnostic::Edit;
use std::ops::Range;

/// A refactoring offered at a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// The title, in the imperative: ``Rename `%0` to `%x` ``.
    pub title: String,
    /// The kind, as editors group actions.
    pub kind: ActionKind,
    /// The edits, as byte ranges of the file. They do not overlap.
    pub edits: Vec<Edit>,
}

/// The kind of an [`Action`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActionKind {
    /// Extracts something into a named definition.
    Extract,
    /// Replaces a name with what it refers to.
    Inline,
    /// Changes how something is written, or adds or removes ops.
    Rewrite,
    /// Changes the whole file.
    Source,
}

impl Action {
    pub(super) fn new(title: impl Into<String>, kind: ActionKind, edits: Vec<Edit>) -> Action {
        Action { title: title.into(), kind, edits }
    }
}

pub(super) fn replace(range: Range<u32>, content: impl Into<String>) -> Edit {
    Edit { range, content: content.into() }
}
