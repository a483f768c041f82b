//! Changes of the text that somebody may want who has made no mistake: one file a change, listed in [`ALL`].
//!
//! What a change leaves behind parses and is no worse than before; `analysis/tests/it/actions.rs` applies every one at every
//! place of every example.

mod action;
mod alias;
mod constant;
mod context;
mod debug_print;
mod extent;
mod form;
mod module;
mod name;
mod prefix;
mod token;
mod unused;
mod upgrade;

pub use action::{Action, ActionKind};

use crate::db::File;
use context::ActionContext;
use std::ops::Range;

/// Every change. Each adds what it has to offer at a place.
const ALL: &[fn(&ActionContext, &mut Vec<Action>)] = &[
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
    let place = ActionContext::new(db, file, range);
    let mut found = Vec::new();
    ALL.iter().for_each(|offer| offer(&place, &mut found));
    found.retain(|action| !action.edits.is_empty());
    found
}

#[cfg(test)]
mod tests;
