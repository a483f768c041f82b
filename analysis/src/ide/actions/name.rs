//! Gives descriptive names to values whose names are numbers.

use super::action::{Action, ActionKind, replace};
use super::context::ActionContext;
use super::context::{OpContext, names};
use crate::diagnostic::Edit;
use crate::ir::{Body, Value};
use crate::lower::Lowered;
use crate::print::usual_name;
use crate::suggest::unused;
use rustc_hash::FxHashSet;
use tile_dialect::Mnemonic;

/// Renames the value at the cursor if it has a numeric name, or if it is a constant not named after its value.
pub(super) fn one(ctx: &ActionContext, found: &mut Vec<Action>) {
    let Some((cursor, lowered, value)) = ctx.value() else { return };
    let item = Item { base: cursor.base, text: cursor.text, lowered };
    let Some(old) = item.name(value) else { return };
    let taken = names(cursor.tree, cursor.text);
    let new_stem = stem(&lowered.body, value);
    let is_misnamed_constant = is_constant(&lowered.body, value) && !old[1..].starts_with(&new_stem);
    if new_stem.is_empty() || !(is_number(old) || is_misnamed_constant) {
        return;
    }
    let new = unused(&new_stem, |name| taken.contains(name));
    found.push(Action::new(format!("Rename `{old}` to `%{new}`"), ActionKind::Rewrite, item.rename(value, &new)));
}

/// Renames all values of the entry that have numeric names.
pub(super) fn all(ctx: &ActionContext, found: &mut Vec<Action>) {
    let Some(cursor) = &ctx.cursor else { return };
    let Some(lowered) = cursor.lowered else { return };
    let on_name = cursor.in_file(&lowered.spans.name).contains(&ctx.range.start);
    let on_number = ctx.value().is_some_and(|_| is_number(cursor.word()));
    if !on_name && !on_number {
        return;
    }
    let item = Item { base: cursor.base, text: cursor.text, lowered };
    let words = names(cursor.tree, cursor.text);
    let mut new_names: Vec<String> = Vec::new();
    let mut edits = Vec::new();
    let mut done = FxHashSet::default();
    for index in 0..lowered.spans.definitions.len() as u32 {
        let value = Value(index);
        let is_first = done.insert(lowered.spans.definition(value));
        let Some(old) = item.name(value).filter(|old| is_first && is_number(old)) else { continue };
        let new_stem = stem(&lowered.body, value);
        if old.is_empty() || new_stem.is_empty() {
            continue;
        }
        let mut taken = words.clone();
        taken.extend(new_names.iter().map(String::as_str));
        let new = unused(&new_stem, |name| taken.contains(name));
        edits.extend(item.rename(value, &new));
        new_names.push(new);
    }
    if new_names.len() > 1 {
        Edit::sort(&mut edits);
        let title = format!("Rename all {} numbered values of `@{}`", new_names.len(), lowered.body.name);
        found.push(Action::new(title, ActionKind::Rewrite, edits));
    }
}

/// The name for a value: the one that printers use, or else the name of the defining op.
fn stem(body: &Body, value: Value) -> String {
    let usual = usual_name(body, value);
    if !usual.is_empty() {
        return usual;
    }
    body.defining_op(value).map_or(String::new(), |op| body.op(op).op.row().name.to_string())
}

fn is_number(name: &str) -> bool {
    name.len() > 1 && name[1..].bytes().all(|byte| byte.is_ascii_digit())
}

fn is_constant(body: &Body, value: Value) -> bool {
    body.defining_op(value).is_some_and(|op| body.op(op).op == Mnemonic::Constant)
}

/// An item whose values are renamed.
pub(super) struct Item<'a> {
    pub(super) base: u32,
    pub(super) text: &'a str,
    pub(super) lowered: &'a Lowered,
}

impl<'a> Item<'a> {
    pub(super) fn of(here: &OpContext<'a>) -> Item<'a> {
        Item { base: here.base, text: here.text, lowered: here.lowered }
    }

    /// The name of a value, with `%`.
    fn name(&self, value: Value) -> Option<&'a str> {
        let range = self.lowered.spans.definition(value);
        self.text.get(range.start as usize..range.end as usize).filter(|name| name.starts_with('%'))
    }

    /// The edits that rename a value, and all values that share its name.
    pub(super) fn rename(&self, value: Value, new: &str) -> Vec<Edit> {
        let spans = &self.lowered.spans;
        let definition = spans.definition(value);
        let length = definition.end - definition.start;
        let uses = spans.uses.iter().filter(|(_, used)| spans.definition(*used) == definition);
        // A use of one value of a pack, such as `%a#1`, has its number after the name.
        let places = uses.map(|(range, _)| range.start).chain([definition.start]);
        let mut edits: Vec<Edit> =
            places.map(|start| replace(start + self.base..start + length + self.base, format!("%{new}"))).collect();
        Edit::sort(&mut edits);
        edits.dedup();
        edits
    }
}
