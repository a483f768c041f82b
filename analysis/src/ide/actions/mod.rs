//! Changes of the text that somebody may want who has made no mistake: one file a change, listed in [`ALL`].
//!
//! What a change leaves behind parses and is no worse than before; `analysis/tests/actions.rs` applies every one at every
//! place of every example.

mod alias;
mod constant;
mod debug_print;
mod extent;
mod form;
mod module;
mod name;
mod place;
mod prefix;
mod token;
mod unused;
mod upgrade;

use crate::db::File;
use crate::diagnostic::Edit;
use place::Place;
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

/// Every change. Each adds what it has to offer at a place.
const ALL: &[fn(&Place, &mut Vec<Action>)] = &[
    token::order,
    debug_print::print,
    name::one,
    name::all,
    constant::hoist,
    constant::merge,
    constant::repeat,
    extent::inline,
    form::convert,
    prefix::one,
    prefix::all,
    alias::one,
    alias::all,
    unused::one,
    unused::all,
    module::wrap,
    upgrade::upgrade,
];

/// What can be done about the text at a range.
pub fn actions(db: &dyn salsa::Database, file: File, range: Range<u32>) -> Vec<Action> {
    let place = Place::new(db, file, range);
    let mut found = Vec::new();
    ALL.iter().for_each(|offer| offer(&place, &mut found));
    found.retain(|action| !action.edits.is_empty());
    found
}

impl Action {
    fn new(title: impl Into<String>, kind: ActionKind, edits: Vec<Edit>) -> Action {
        Action { title: title.into(), kind, edits }
    }
}

fn replace(range: Range<u32>, content: impl Into<String>) -> Edit {
    Edit { range, content: content.into() }
}

#[cfg(test)]
mod tests;
