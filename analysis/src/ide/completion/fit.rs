//! Ranks visible values by how well they fit an operand.

use super::context::CompletionContext;
use super::item::{Completion, CompletionKind};
use super::values::{Visible, visible};
use crate::db::{self, File};
use crate::types::Type;
use tile_dialect::{Class, OpRow, Rule};
use tile_syntax::{Node, NodeKind, Tree, parse_item};

/// Placeholder for the value that is being written.
const PLACEHOLDER: &str = "%completion";

/// The visible values, sorted by how well they fit the operand, then by distance.
pub(super) fn values(db: &dyn salsa::Database, file: File, ctx: &CompletionContext, offset: u32) -> Vec<Completion> {
    let mut seen = visible(db, file, offset);
    if let Some(constraints) = constraints(db, file, ctx, &seen) {
        seen.sort_by_key(|value| constraints.distance(value.ty));
    }
    let items = seen.into_iter();
    items.map(|value| Completion::new(value.name, CompletionKind::Value, value.ty.to_string())).collect()
}

/// Reports whether an operand comes next.
pub(super) fn expects_operand(db: &dyn salsa::Database, file: File, ctx: &CompletionContext) -> bool {
    operand_at(db, file, ctx).is_some_and(|operand| operand.is_expected)
}

/// The constraints on an operand.
struct Constraints {
    /// Its class.
    class: Class,
    /// The exact type that the other operands require.
    exact: Option<Type>,
}

impl Constraints {
    /// 0 for an exact fit; larger values fit worse.
    fn distance(&self, ty: Type) -> u8 {
        match self.exact {
            Some(exact) if exact == ty => 0,
            _ if ty.is_a(self.class) || ty.is_unknown() => 1 + u8::from(self.exact.is_some()),
            _ => 3,
        }
    }
}

/// The operand being written, and the statement around it as far as it can be parsed.
struct Operand {
    row: &'static OpRow,
    slot: usize,
    /// Whether the op's form expects an operand here and nothing is missing before it.
    is_expected: bool,
    /// The operands already written, with their slots.
    others: Vec<(usize, String)>,
}

fn constraints(db: &dyn salsa::Database, file: File, ctx: &CompletionContext, seen: &[Visible]) -> Option<Constraints> {
    let Operand { row, slot, others, .. } = operand_at(db, file, ctx)?;
    let own = row.operands.get(slot)?;
    let type_of = |name: &str| {
        let (_, value) =
            others.iter().find(|(other, _)| row.operands.get(*other).is_some_and(|row| row.name == name))?;
        seen.iter().find(|seen| seen.name == *value).map(|seen| seen.ty).filter(|ty| !ty.is_unknown())
    };
    let same = row.rules.iter().filter_map(|rule| match rule {
        Rule::SameType(names) if names.contains(&own.name) => Some(*names),
        _ => None,
    });
    let exact = same.flatten().filter(|name| **name != own.name).find_map(|name| type_of(name));
    Some(Constraints { class: own.class, exact })
}

/// The operand that a value at this position would be.
fn operand_at(db: &dyn salsa::Database, file: File, ctx: &CompletionContext) -> Option<Operand> {
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
    let own = tree.range(node).start;
    let others = tree.children_of(op, NodeKind::Operand).filter(|&other| tree.range(other).start != own);
    let others = others.map(|other| (tree.slot(other) as usize, written(&tree, other, &text))).collect();
    let is_expected = !tree.errors.iter().any(|error| error.range.start <= own && own < error.range.end);
    Some(Operand { row, slot: tree.slot(node) as usize, is_expected, others })
}

fn written(tree: &Tree, node: Node, text: &str) -> String {
    tree.text(node, text).to_string()
}
