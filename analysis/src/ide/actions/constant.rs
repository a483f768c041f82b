//! Moves a constant to the top of its entry, merges it with an equal one, or copies it next to a use.

use super::action::{Action, ActionKind};
use super::context::ActionContext;
use super::context::OpContext;
use super::name::Item;
use crate::diagnostic::Edit;
use crate::ir::{Op, OpId, RegionId};
use tile_dialect::Effect;

/// Reports whether an op is pure and has no operands, so that it can be moved anywhere.
fn is_constant(op: &Op) -> bool {
    let row = op.op.row();
    row.effect == Effect::Pure && row.operands.is_empty() && row.regions.is_empty() && !op.results.is_empty()
}

/// The constant whose statement is at the cursor.
fn constant<'a>(ctx: &'a ActionContext) -> Option<OpContext<'a>> {
    let here = ctx.here()?;
    let is_named = here.statement().start < here.name().start;
    (is_constant(here.op) && is_named && here.is_sound() && !here.has_comment()).then_some(here)
}

/// The constant op that defines a value as its only result.
pub(super) fn constant_of<'a>(here: &OpContext<'a>, value: crate::ir::Value) -> Option<OpContext<'a>> {
    let constant = here.other(here.lowered.body.defining_op(value)?);
    (is_constant(constant.op) && constant.op.results.len() == 1).then_some(constant)
}

/// The number of uses of a value.
pub(super) fn uses(here: &OpContext, value: crate::ir::Value) -> usize {
    here.lowered.body.uses(value).count()
}

/// The statement's text.
fn statement<'a>(here: &OpContext<'a>) -> &'a str {
    let range = here.statement();
    &here.text[range.start as usize..range.end as usize]
}

/// The number of definitions in the item that have this name.
fn definitions(here: &OpContext, name: &str) -> usize {
    let mut all: Vec<u32> = here.lowered.spans.definitions.iter().map(|range| range.start).collect();
    all.sort_unstable();
    all.dedup();
    let written = |&&start: &&u32| {
        let rest = &here.text[start as usize..];
        rest.starts_with(name) && !rest[name.len()..].starts_with(|c: char| c.is_alphanumeric() || "_$.-".contains(c))
    };
    all.iter().filter(written).count()
}

pub(super) fn hoist(ctx: &ActionContext, found: &mut Vec<Action>) {
    let Some(here) = constant(ctx) else { return };
    let around = here.regions_around(here.id);
    let Some(&first) = here.lowered.body.region(RegionId(0)).ops.first() else { return };
    if around.len() < 2 || around.last() != Some(&RegionId(0)) || here.op.results.len() != 1 {
        return;
    }
    let value = crate::ir::Value(here.op.results.start);
    let Some(name) = here.name_of(value) else { return };
    let mut edits = Vec::new();
    let text = statement(&here);
    if definitions(&here, name) > 1 {
        // Outside its region the name refers to another value.
        let new = here.fresh(name.trim_start_matches('%'));
        let own = here.in_file(here.statement());
        edits.extend(Item::of(&here).rename(value, &new).into_iter().filter(|edit| edit.range.start >= own.end));
        edits.push(here.insert_before(&here.other(first).statement(), &text.replacen(name, &format!("%{new}"), 1)));
    } else {
        edits.push(here.insert_before(&here.other(first).statement(), text));
    }
    edits.push(here.remove(&here.statement()));
    Edit::sort(&mut edits);
    found.push(Action::new(format!("Move `{name}` to the top of the entry"), ActionKind::Rewrite, edits));
}

pub(super) fn merge(ctx: &ActionContext, found: &mut Vec<Action>) {
    let Some(here) = constant(ctx).filter(|here| here.op.results.len() == 1) else { return };
    let Some(equal) = equal_before(&here) else { return };
    let value = crate::ir::Value(here.op.results.start);
    let other = crate::ir::Value(here.lowered.body.op(equal).results.start);
    let (Some(name), Some(kept)) = (here.name_of(value), here.name_of(other)) else { return };
    let own = here.in_file(here.statement());
    let renamed = Item::of(&here).rename(value, kept.trim_start_matches('%'));
    let mut edits: Vec<_> = renamed.into_iter().filter(|edit| edit.range.start >= own.end).collect();
    edits.insert(0, here.remove(&here.statement()));
    found.push(Action::new(format!("Replace `{name}` with the equal `{kept}`"), ActionKind::Inline, edits));
}

/// An equal constant that is visible wherever this one is.
fn equal_before(here: &OpContext) -> Option<OpId> {
    let body = &here.lowered.body;
    let mut inner = here.id;
    for region in here.regions_around(here.id) {
        let ops = &body.region(region).ops;
        let end = ops.iter().position(|&id| id == inner)?;
        let found = ops[..end].iter().copied().find(|&id| {
            let other = body.op(id);
            let same_types = || body.results(other).map(|v| body.ty(v)).eq(body.results(here.op).map(|v| body.ty(v)));
            other.op == here.op.op && body.attrs_of(other) == body.attrs_of(here.op) && same_types()
        });
        if found.is_some() {
            return found;
        }
        inner = here.owner_of(region)?;
    }
    None
}

/// Inserts a copy of a constant directly before the statement that uses it.
pub(super) fn repeat(ctx: &ActionContext, found: &mut Vec<Action>) {
    let (Some(here), Some((cursor, lowered, value))) = (ctx.here(), ctx.value()) else { return };
    let Some(constant) = constant_of(&here, value) else { return };
    let is_use = lowered.spans.definition(value).start != cursor.tree.tokens.start(cursor.token);
    if !is_use || !here.is_sound() || constant.has_comment() {
        return;
    }
    if here.region_of(here.id) == here.region_of(constant.id) {
        return;
    }
    let Some(name) = constant.name_of(value) else { return };
    let new = here.fresh(name.trim_start_matches('%'));
    let copy = statement(&constant).replacen(name, &format!("%{new}"), 1);
    let edits = vec![
        here.insert_before(&here.statement(), &copy),
        here.edit(cursor.tree.tokens.start(cursor.token)..cursor.tree.tokens.end(cursor.token), format!("%{new}")),
    ];
    found.push(Action::new(format!("Copy the constant `{name}` here"), ActionKind::Inline, edits));
}
