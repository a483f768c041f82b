//! Refactorings that are offered as code actions: one file per kind, listed in [`ALL`].
//!
//! The result of an action parses and has no new diagnostics. `analysis/tests/it/actions.rs` applies every action at
//! every position of every example.

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

/// Every refactoring. Each function adds the actions that apply at a position.
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

/// The actions that apply to a selection.
pub fn actions(db: &dyn salsa::Database, file: File, range: Range<u32>) -> Vec<Action> {
    let ctx = ActionContext::new(db, file, range);
    let mut found = Vec::new();
    ALL.iter().for_each(|offer| offer(&ctx, &mut found));
    found.retain(|action| !action.edits.is_empty());
    found
}

#[cfg(test)]
mod tests;
