//! Extracts long types into type aliases: `!tiles_64x64xf32 = !cuda_tile.partition_view<…>`.

use super::action::{Action, ActionKind, replace};
use super::context::ActionContext;
use super::context::line_start;
use crate::db;
use crate::diagnostic::Edit;
use crate::read::ty;
use crate::types::{Scalar, Type, TypeKind};
use rustc_hash::FxHashMap;
use std::ops::Range;
use tile_dialect::DIALECT_PREFIX;
use tile_syntax::{Node, NodeKind, Token};

/// A type written in the text that is not part of another type.
struct Written {
    ty: Type,
    range: Range<u32>,
}

/// Extracts the type at the cursor, everywhere in the file.
pub(super) fn one(ctx: &ActionContext, found: &mut Vec<Action>) {
    let Some(cursor) = &ctx.cursor else { return };
    if cursor.nodes().all(|node| cursor.tree.kind(node) != NodeKind::Type) {
        return;
    }
    let at = ctx.cursor.as_ref().map_or(0, |cursor| cursor.word_range().start);
    let all = types(ctx);
    let Some(own) = all.iter().find(|written| written.range.contains(&at)) else { return };
    let (ty, name) = (own.ty, name(ctx, own.ty, &[]));
    let count = all.iter().filter(|written| written.ty == ty).count();
    let mut edits = vec![definition(ctx, &name, ty)];
    edits.extend(uses(&all, ty, &name));
    let occurrences = if count == 1 { String::new() } else { format!(" ({count} occurrences)") };
    found.push(Action::new(format!("Extract type alias `{name}`{occurrences}"), ActionKind::Extract, edits));
}

/// Extracts every view type that occurs more than once.
pub(super) fn all(ctx: &ActionContext, found: &mut Vec<Action>) {
    let Some(cursor) = &ctx.cursor else { return };
    // Editors request actions at every move of the cursor, so scan the whole file only when the cursor is on a type.
    if cursor.nodes().all(|node| cursor.tree.kind(node) != NodeKind::Type) {
        return;
    }
    let at = cursor.word_range().start;
    let all = types(ctx);
    let own = all.iter().find(|written| written.range.contains(&at));
    if !own.is_some_and(|own| own.ty.is_view()) {
        return;
    }
    let mut count: FxHashMap<Type, usize> = FxHashMap::default();
    all.iter().for_each(|written| *count.entry(written.ty).or_default() += 1);
    let mut named: Vec<(Type, String)> = Vec::new();
    for written in all.iter().filter(|written| written.ty.is_view()) {
        if count[&written.ty] > 1 && named.iter().all(|(ty, _)| *ty != written.ty) {
            let taken: Vec<String> = named.iter().map(|(_, name)| name.clone()).collect();
            named.push((written.ty, name(ctx, written.ty, &taken)));
        }
    }
    if named.len() < 2 {
        return;
    }
    let definitions: String =
        named.iter().map(|(ty, name)| definition(ctx, name, *ty).content).collect::<Vec<_>>().concat();
    let at = definition(ctx, "", named[0].0).range;
    let mut edits = vec![replace(at, definitions)];
    edits.extend(named.iter().flat_map(|(ty, name)| uses(&all, *ty, name)));
    Edit::sort(&mut edits);
    found.push(Action::new(
        format!("Extract aliases for all {} repeated view types", named.len()),
        ActionKind::Extract,
        edits,
    ));
}

/// The types in the file's statements, in source order, without aliases and without types nested in other types.
fn types(ctx: &ActionContext) -> Vec<Written> {
    let context = db::context(ctx.db, ctx.file);
    let mut found = Vec::new();
    for (base, text, tree) in ctx.trees() {
        // Nodes come in source order, so the nodes inside a range that was handled start before its end.
        let mut end = 0;
        for node in tree.descendants(Node::ROOT) {
            let (kind, range, tokens) = (tree.kind(node), tree.range(node), tree.tokens_of(node));
            if range.start < end || tokens.is_empty() {
                continue;
            }
            if holds_other_types(kind) {
                end = range.end;
            }
            let is_alias = tokens.len() == 1 && tree.tokens.kind(tokens.start) == Token::TypeName;
            if kind != NodeKind::Type || is_alias {
                continue;
            }
            end = range.end;
            let ty = ty::read_silently(text, &tree.tokens, tokens, context);
            let has_no_alias = matches!(
                ty.kind(),
                TypeKind::Token | TypeKind::Number(_) | TypeKind::Foreign(_) | TypeKind::Preview(_)
            );
            if !ty.is_unknown() && !has_no_alias {
                found.push(Written { ty, range: range.start + base..range.end + base });
            }
        }
    }
    found.sort_by_key(|written| written.range.start);
    found
}

/// Reports whether the types inside a node do not belong to a statement, such as those of an alias or an attribute.
fn holds_other_types(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::Alias | NodeKind::Attr | NodeKind::Dict | NodeKind::Properties | NodeKind::Error)
}

fn uses(all: &[Written], ty: Type, name: &str) -> Vec<Edit> {
    all.iter().filter(|written| written.ty == ty).map(|written| replace(written.range.clone(), name)).collect()
}

/// An unused alias name: `!tile_64x64xf32`, with a number appended if that is taken.
fn name(ctx: &ActionContext, ty: Type, more: &[String]) -> String {
    let stem = stem(ty);
    let aliases = &db::context(ctx.db, ctx.file).type_aliases;
    let is_free = |name: &String| !aliases.contains_key(&name[1..]) && !more.contains(name);
    let numbered = (1..).map(|number| format!("!{stem}_{number}"));
    let mut all = std::iter::once(format!("!{stem}")).chain(numbered);
    all.find(is_free).unwrap_or_default()
}

fn stem(ty: Type) -> String {
    let extents = |shape: &[i64]| shape.iter().map(|extent| format!("{extent}x")).collect::<String>();
    match ty.kind() {
        TypeKind::Tile(tile) => match tile.element {
            Scalar::Number(element) => format!("tile_{}{element}", extents(&tile.shape)),
            Scalar::Pointer(pointer) => format!("ptrs_{}{}", extents(&tile.shape), pointer.to),
        },
        TypeKind::TensorView(view) => {
            let shape: String =
                view.shape.iter().map(|extent| extent.map_or("n".to_string(), |e| e.to_string()) + "x").collect();
            format!("tensor_{shape}{}", view.element)
        }
        TypeKind::TileView(view) => format!("tiles_{}{}", extents(&view.tile), view.tensor().element),
        _ => "type".to_string(),
    }
}

/// The edit that inserts the alias definition before the first item of the file.
fn definition(ctx: &ActionContext, name: &str, ty: Type) -> Edit {
    let text = ctx.file.text(ctx.db);
    let tree = &db::file_outline(ctx.db, ctx.file).tree;
    let first = tree.children(Node::ROOT).next();
    let mut at = first.map_or(0, |node| line_start(text, tree.range(node).start));
    if first.is_some_and(|node| tree.kind(node) == NodeKind::Item) {
        // The comments right above an entry belong to it.
        at = above_comments(text, at);
    }
    replace(at as u32..at as u32, format!("{name} = !{DIALECT_PREFIX}{ty}\n"))
}

fn above_comments(text: &str, mut at: usize) -> usize {
    while at > 0 {
        let above = line_start(text, at as u32 - 1);
        if !text[above..at].trim_start().starts_with("//") {
            break;
        }
        at = above;
    }
    at
}
