//! Replaces all deprecated spellings of a file.

use super::action::{Action, ActionKind};
use super::context::ActionContext;
use crate::db;
use crate::diagnostic::{Diagnostic, Edit, Tag};

pub(super) fn upgrade(place: &ActionContext, found: &mut Vec<Action>) {
    let edits = fixes(place, |found| found.tag == Some(Tag::Deprecated));
    if !edits.is_empty() {
        let version = place.file.options(place.db).version;
        found.push(Action::new(format!("Upgrade the file to Tile IR {version} spellings"), ActionKind::Source, edits));
    }
}

/// The edits of the first fix of every matching diagnostic, without fixes that overlap an earlier one.
pub(super) fn fixes(place: &ActionContext, is_wanted: impl Fn(&Diagnostic) -> bool) -> Vec<Edit> {
    let diagnostics = db::diagnostics(place.db, place.file);
    let wanted = diagnostics.iter().filter(|found| is_wanted(found));
    let mut edits: Vec<Edit> = Vec::new();
    for fix in wanted.filter_map(|found| found.fixes.first()) {
        let touches = |edit: &Edit| {
            edits.iter().any(|other| edit.range.start < other.range.end && other.range.start < edit.range.end)
        };
        if !fix.edits.iter().any(touches) {
            edits.extend(fix.edits.iter().cloned());
        }
    }
    Edit::sort(&mut edits);
    edits.dedup();
    edits
}
