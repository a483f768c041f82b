//! Inlines a constant extent or stride of a view into its type and into every type derived from it.

use super::super::hover::facts::known_of;
use super::action::{Action, ActionKind};
use super::constant::{constant_of, uses};
use super::context::ActionContext;
use super::context::OpContext;
use crate::db;
use crate::diagnostic::Edit;
use crate::ir::{OpId, Value};
use crate::read::ty;
use crate::types::{TensorViewType, TileViewType, Type, TypeKind};
use rustc_hash::FxHashMap;
use tile_syntax::{Node, NodeKind};

/// The operand lists of an op that supply the dynamic (`?`) parts of its result type.
#[derive(Clone, Copy)]
enum List {
    Shape,
    Strides,
}

/// Inlines the constant at the cursor if it is an extent or a stride of a view.
pub(super) fn inline(ctx: &ActionContext, found: &mut Vec<Action>) {
    let (Some(here), Some((cursor, _, value))) = (ctx.here(), ctx.value()) else { return };
    let Some(constant) = constant_of(&here, value) else { return };
    let number = known_of(here.text, here.lowered).only(value).filter(|&number| number > 0);
    let (Some(number), Some(name)) = (number, constant.name_of(value)) else { return };
    let Some(node) = cursor.node(NodeKind::Operand) else { return };
    if let Some(mut edits) = inlined(ctx, &here, node, number) {
        // The last use removes the constant too.
        if uses(&constant, value) == 1 && constant.is_sound() && !constant.has_comment() {
            edits.push(constant.remove(&constant.statement()));
        }
        Edit::sort(&mut edits);
        found.push(Action::new(format!("Inline `{name}` as {number}"), ActionKind::Inline, edits));
    }
}

/// The edits; `None` if some of the types to change cannot be found.
fn inlined(ctx: &ActionContext, here: &OpContext, node: Node, number: i64) -> Option<Vec<Edit>> {
    let (body, row) = (&here.lowered.body, here.row());
    let mut results = body.results(here.op);
    let (Some(result), None) = (results.next(), results.next()) else { return None };
    let slot = here.tree.slot(node);
    let list = match row.operands.get(slot as usize)?.name {
        "dynamicShape" => List::Shape,
        "dynamicStrides" => List::Strides,
        _ => return None,
    };
    let before = here.tree.children_of(here.node, NodeKind::Operand).take_while(|&other| other != node);
    let rank = before.filter(|&other| here.tree.slot(other) == slot).count();
    let old = body.ty(result);
    let new = with_number(old.as_tensor_view()?, list, rank, number)?;
    let mut edits = vec![here.edit(here.tree.range(node), number.to_string())];
    edits.extend(own_types(here, new)?);
    edits.extend(dependent_types(ctx, here, result, old, new)?);
    Some(edits)
}

/// The type with the `rank`-th `?` of a list replaced with a number.
fn with_number(view: &TensorViewType, list: List, rank: usize, number: i64) -> Option<Type> {
    let mut new = view.clone();
    let all = match list {
        List::Shape => &mut new.shape,
        List::Strides => &mut new.strides,
    };
    let open = all.iter_mut().filter(|length| length.is_none()).nth(rank)?;
    *open = Some(number);
    Some(Type::new(TypeKind::TensorView(new)))
}

/// The edits of the op's own types: its result type, and the type of the list operands when the last of them is
/// removed.
fn own_types(here: &OpContext, new: Type) -> Option<Vec<Edit>> {
    let tree = here.tree;
    let types: Vec<Node> = tree.children_of(here.node, NodeKind::Type).collect();
    let last = tree.range(*types.last()?);
    let values = tree.children_of(here.node, NodeKind::Operand).filter(|&node| tree.slot(node) > 0).count();
    let first = if values == 1 { tree.range(types[0]).start } else { last.start };
    Some(vec![here.edit(first..last.end, new.to_string())])
}

/// The edits of the types in the ops that use the view, directly or through views derived from it.
fn dependent_types(ctx: &ActionContext, here: &OpContext, view: Value, old: Type, new: Type) -> Option<Vec<Edit>> {
    let body = &here.lowered.body;
    let mut changed: FxHashMap<Value, (Type, Type)> = FxHashMap::default();
    changed.insert(view, (old, new));
    let mut edits = Vec::new();
    for (index, op) in body.ops.iter().enumerate() {
        let mut views = body.operands(op).iter().filter(|value| body.ty(**value).is_view());
        let Some(&(from, to)) = views.clone().find_map(|value| changed.get(value)) else { continue };
        // If the view enters or leaves a region, more types than those of this op would change.
        if views.nth(1).is_some() || op.op.row().is_terminator() || !op.regions.is_empty() {
            return None;
        }
        let user = here.other(OpId(index as u32));
        let mut replaced = vec![(from, to)];
        for result in body.results(op).filter(|result| body.ty(*result).is_view()) {
            let types = (body.ty(result), with_tensor(body.ty(result).as_tile_view()?, from, to)?);
            changed.insert(result, types);
            replaced.push(types);
        }
        edits.extend(replaced_types(ctx, &user, &replaced)?);
    }
    Some(edits)
}

/// The tile view type with its tensor view type replaced.
fn with_tensor(view: &TileViewType, from: Type, to: Type) -> Option<Type> {
    (view.tensor == from).then(|| Type::new(TypeKind::TileView(TileViewType { tensor: to, ..view.clone() })))
}

/// The edits that replace types in a statement.
fn replaced_types(ctx: &ActionContext, user: &OpContext, replaced: &[(Type, Type)]) -> Option<Vec<Edit>> {
    let (tree, context) = (user.tree, db::context(ctx.db, ctx.file));
    let token = tree.tokens.at(user.name().start);
    let node = tree.path_to(token).into_iter().rfind(|&node| tree.kind(node) == NodeKind::Op)?;
    let is_generic = user.text[user.name().start as usize..].starts_with('"');
    if is_generic || !user.is_sound() || user.has_comment() {
        return None;
    }
    let types = tree.children_of(node, NodeKind::Type);
    let edits = types.filter_map(|node| {
        let own = ty::read_silently(user.text, &tree.tokens, tree.tokens_of(node), context);
        let (_, new) = replaced.iter().find(|(old, _)| *old == own)?;
        Some(user.edit(tree.range(node), new.to_string()))
    });
    Some(edits.collect())
}
