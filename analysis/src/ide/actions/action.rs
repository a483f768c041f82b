//! A change that is offered.

use crate::diagnostic::Edit;
use std::ops::Range;

/// A change that is offered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// What it does, as a command.
    pub title: String,
    /// What kind of change it is.
    pub kind: ActionKind,
    /// Its edits, in bytes of the file; they do not overlap.
    pub edits: Vec<Edit>,
}

/// What kind of change it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActionKind {
    /// Something gets a name of its own.
    Extract,
    /// Something stands where it is used.
    Inline,
    /// The same is written in another way.
    Rewrite,
    /// The whole file is changed.
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
