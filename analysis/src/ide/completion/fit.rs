//! The visible values that can be an operand.

use super::context::CompletionContext;
use super::item::{Completion, CompletionKind};
use super::site::Site;
use super::values::Visible;
use crate::db::{self, File};
use crate::lower::trial::can_combine;
use crate::types::{Access, Type};
use rustc_hash::FxHashSet;
use tile_dialect::{Arity, OpRow, OperandName};
use tile_syntax::{Node, NodeKind, parse_item};

/// Placeholder for the value that is being written.
const PLACEHOLDER: &str = "%completion";

/// The visible values that can be the operand at an offset, nearest first. All values if it is not an operand.
pub(super) fn values(db: &dyn salsa::Database, file: File, ctx: &CompletionContext, offset: u32) -> Vec<Completion> {
    let site = Site::new(db, file, offset);
    match operand_at(db, file, ctx, &site) {
        Some(operand) => operand.values(),
        None => site.seen.iter().map(item).collect(),
    }
}

/// The visible values that can be the next operand; none if no operand comes next.
pub(super) fn next_values(
    db: &dyn salsa::Database,
    file: File,
    ctx: &CompletionContext,
    offset: u32,
) -> Vec<Completion> {
    let site = Site::new(db, file, offset);
    let next = operand_at(db, file, ctx, &site).filter(|operand| operand.is_expected);
    next.map_or_else(Vec::new, |operand| operand.values())
}

fn item(value: &Visible) -> Completion {
    Completion::new(&value.name, CompletionKind::Value, value.ty.to_string())
}

/// The operand being written, and the statement around it as far as it can be parsed.
struct Operand<'a> {
    site: &'a Site<'a>,
    row: &'static OpRow,
    slot: usize,
    /// Its index among the values of its row.
    position: usize,
    /// Whether the op's form expects an operand here and nothing is missing before it.
    is_expected: bool,
    /// The other operands, with their slots and types.
    others: Vec<(usize, String, Type)>,
    /// The statement up to the operand.
    before: String,
}

impl Operand<'_> {
    /// The values that it can be, or whose types are not known. The index of the tile block along a dimension comes
    /// first where the dimension is indexed.
    fn values(&self) -> Vec<Completion> {
        let types = self.types();
        let fits = |value: &&Visible| value.ty.is_unknown() || types.contains(&value.ty);
        let mut values: Vec<&Visible> = self.site.seen.iter().filter(fits).collect();
        if self.row.operands[self.slot].name == OperandName::Index.text() {
            values.sort_by_key(|value| value.block_dim != Some(self.position));
        }
        values.into_iter().map(item).collect()
    }

    /// The types of visible values that it can have.
    fn types(&self) -> FxHashSet<Type> {
        let types: Vec<Type> = self.site.types.iter().copied().filter(|ty| self.fits(*ty)).collect();
        let mut valid = FxHashSet::default();
        for &ty in &types {
            match self.is_valid(ty) {
                Some(true) => valid.insert(ty),
                Some(false) => false,
                // More operands follow, whatever the type of this one is.
                None => break,
            };
        }
        // If no value is valid, something else in the statement is wrong.
        if valid.is_empty() { types.into_iter().collect() } else { valid }
    }

    /// Reports whether a type fits the table, and the types of the other operands.
    fn fits(&self, ty: Type) -> bool {
        let own = &self.row.operands[self.slot];
        let is = |name: OperandName| own.name == name.text();
        let is_variadic = own.arity == Arity::Variadic;
        if !ty.is_a(own.class) {
            return false;
        }
        match self.row.is_terminator() {
            true if is_variadic => self.is_passed_on(ty),
            _ if is(OperandName::Index) => self.is_index(ty),
            _ => is_variadic || self.can_combine(ty),
        }
    }

    /// Reports whether the op that a terminator ends needs a value of this type here.
    fn is_passed_on(&self, ty: Type) -> bool {
        let passed = self.site.passed_types(self.row.op);
        passed.is_none_or(|types| types.get(self.position).is_some_and(|needed| *needed == ty || needed.is_unknown()))
    }

    /// Reports whether a type can be that of an index of the view.
    fn is_index(&self, ty: Type) -> bool {
        let Some(tile) = ty.as_tile() else { return false };
        let view = self.row.operand(OperandName::View).and_then(|(slot, _)| self.type_of(slot)?.as_tile_view());
        match view.map(|view| (view, &view.access)) {
            Some((view, Access::GatherScatter { sparse_dim })) if *sparse_dim == self.position => {
                view.tile.get(self.position).is_some_and(|extent| *tile.shape == [*extent])
            }
            Some((view, _)) => tile.rank() == 0 && self.position < view.tile.len(),
            None => true,
        }
    }

    fn can_combine(&self, ty: Type) -> bool {
        let type_of = |slot: usize| match self.row.operands[slot].arity {
            _ if slot == self.slot => Some(ty),
            Arity::Variadic => None,
            _ => self.type_of(slot),
        };
        let types: Vec<Option<Type>> = (0..self.row.operands.len()).map(type_of).collect();
        can_combine(self.row, &types)
    }

    /// The type of the first other operand in a slot.
    fn type_of(&self, slot: usize) -> Option<Type> {
        self.others.iter().find(|(other, ..)| *other == slot).map(|(.., ty)| *ty).filter(|ty| !ty.is_unknown())
    }

    /// Reports whether the statement is valid with a value of this type as its last operand. `None` if more operands
    /// follow.
    fn is_valid(&self, ty: Type) -> Option<bool> {
        let others = self.others.iter().map(|(_, name, ty)| (name.clone(), *ty));
        let values: Vec<(String, Type)> = others.chain([(PLACEHOLDER.to_string(), ty)]).collect();
        let close = if self.before.matches('[').count() > self.before.matches(']').count() { "]" } else { "" };
        self.site.accepts_with_types(&format!("{}{PLACEHOLDER}{close}", self.before), &values)
    }
}

/// The operand that a value at this position would be.
fn operand_at<'a>(
    db: &dyn salsa::Database,
    file: File,
    ctx: &CompletionContext,
    site: &'a Site<'a>,
) -> Option<Operand<'a>> {
    let at = ctx.replaced.start;
    let (start, item) = db::layout(db, file).before(at)?;
    let text: &str = item.text(db);
    let (from, to) = ((at - start) as usize, (ctx.replaced.end - start) as usize);
    if to > text.len() {
        return None;
    }
    let text = format!("{}{PLACEHOLDER} {}", &text[..from], &text[to..]);
    let tree = parse_item(&text);
    let token = tree.tokens.at(from as u32);
    let path = tree.path_to(token);
    let node = path.iter().copied().rfind(|&node| tree.kind(node) == NodeKind::Operand)?;
    let op = path.iter().copied().rfind(|&node| tree.kind(node) == NodeKind::Op)?;
    let row = tile_dialect::ops().get(tree.slot(op) as usize).copied()?;
    let (own, slot) = (tree.range(node).start, tree.slot(node) as usize);
    row.operands.get(slot)?;
    let others: Vec<Node> =
        tree.children_of(op, NodeKind::Operand).filter(|&other| tree.range(other).start != own).collect();
    let is_earlier = |other: &&Node| tree.slot(**other) as usize == slot && tree.range(**other).start < own;
    let position = others.iter().filter(is_earlier).count();
    let type_of = |name: &str| site.seen.iter().find(|seen| seen.name == name).map_or(Type::unknown(), |seen| seen.ty);
    let named = |&other: &Node| (tree.slot(other) as usize, tree.text(other, &text).to_string());
    Some(Operand {
        site,
        row,
        slot,
        position,
        is_expected: !tree.errors.iter().any(|error| error.range.start <= own && own < error.range.end),
        others: others.iter().map(named).map(|(slot, name)| (slot, name.clone(), type_of(&name))).collect(),
        before: text[tree.range(op).start as usize..from].to_string(),
    })
}

#[cfg(test)]
mod tests;
