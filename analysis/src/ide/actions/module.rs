//! Wraps top-level items in a module.

use super::action::{Action, ActionKind};
use super::context::ActionContext;
use super::upgrade::fixes;

pub(super) fn wrap(ctx: &ActionContext, found: &mut Vec<Action>) {
    let edits = fixes(ctx, |found| found.fixes.iter().any(|fix| fix.whole_file));
    if !edits.is_empty() {
        found.push(Action::new("Wrap the file in a module", ActionKind::Source, edits));
    }
}
