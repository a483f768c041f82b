//! Replaces all deprecated spellings of a file.

use super::action::{Action, ActionKind};
use super::context::ActionContext;
use crate::db;
use crate::diagnostic::{Diagnostic, Edit, Tag};

pub(super) fn upgrade(ctx: &ActionContext, found: &mut Vec<Action>) {
    let edits = fixes(ctx, |found| found.tag == Some(Tag::Deprecated));
    if !edits.is_empty() {
        let version = ctx.file.options(ctx.db).version;
        found.push(Action::new(format!("Upgrade the file to Tile IR {version} spellings"), ActionKind::Source, edits));
    }
}

/// The edits of the first fix of every matching diagnostic, without fixes that overlap an earlier one.
pub(super) fn fixes(ctx: &ActionContext, matches: impl Fn(&Diagnostic) -> bool) -> Vec<Edit> {
    let diagnostics = db::diagnostics(ctx.db, ctx.file);
    let matching = diagnostics.iter().filter(|found| matches(found));
    let mut edits: Vec<Edit> = Vec::new();
    for fix in matching.filter_map(|found| found.fixes.first()) {
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
