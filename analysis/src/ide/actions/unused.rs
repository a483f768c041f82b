//! Removes ops with unused results.

use super::action::{Action, ActionKind};
use super::context::ActionContext;
use super::context::OpContext;
use crate::diagnostic::{Edit, Severity};
use crate::ir::{OpId, Value};
use crate::unused::{is_removable, unused_ops};
use tile_syntax::NodeKind;

/// Removes the op at the cursor if its results are unused.
pub(super) fn one(ctx: &ActionContext, found: &mut Vec<Action>) {
    let Some(here) = ctx.here().filter(|here| here.is_sound() && is_removable(here.op)) else { return };
    let used = |index: u32| here.lowered.body.uses(Value(index)).next().is_some();
    if here.op.results.clone().any(used) {
        return;
    }
    let title = format!("Remove unused `{}`", here.row().name);
    found.push(Action::new(title, ActionKind::Rewrite, vec![here.remove(&here.statement())]));
}

/// Removes all unused ops of the entry.
pub(super) fn all(ctx: &ActionContext, found: &mut Vec<Action>) {
    let Some(cursor) = &ctx.cursor else { return };
    let Some(lowered) = cursor.lowered else { return };
    let on_name = cursor.in_file(&lowered.spans.name).contains(&ctx.range.start);
    let dead: Vec<OpId> = unused_ops(&lowered.body).into_iter().map(|unused| unused.op).collect();
    let here = ctx.here();
    let on_dead = here.is_some_and(|here| dead.contains(&here.id));
    let has_errors = lowered.diagnostics.iter().any(|found| found.page.severity == Severity::Error);
    if dead.len() < 2 || !(on_name || on_dead) || has_errors {
        return;
    }
    let Some(node) = cursor.node(NodeKind::Op) else { return };
    let id = dead[0];
    let op = lowered.body.op(id);
    let any = OpContext { base: cursor.base, text: cursor.text, tree: cursor.tree, lowered, node, id, op };
    let mut edits: Vec<_> = dead.iter().map(|&id| any.remove(&any.other(id).statement())).collect();
    Edit::sort(&mut edits);
    let title = format!("Remove all {} unused ops of `@{}`", dead.len(), lowered.body.name);
    found.push(Action::new(title, ActionKind::Rewrite, edits));
}
