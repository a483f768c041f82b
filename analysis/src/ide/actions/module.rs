//! Puts a module around what stands outside of one.

use super::action::{Action, ActionKind};
use super::context::ActionContext;
use super::upgrade::fixes;

pub(super) fn wrap(place: &ActionContext, found: &mut Vec<Action>) {
    let edits = fixes(place, |found| found.fixes.iter().any(|fix| fix.whole_file));
    if !edits.is_empty() {
        found.push(Action::new("Put a module around the file", ActionKind::Source, edits));
    }
}
