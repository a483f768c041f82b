//! Puts a module around what stands outside of one.

use super::upgrade::fixes;
use super::{Action, ActionKind, Place};

pub(super) fn wrap(place: &Place, found: &mut Vec<Action>) {
    let edits = fixes(place, &["L0007"]);
    if !edits.is_empty() {
        found.push(Action::new("Put a module around the file", ActionKind::Source, edits));
    }
}
