//! Completion of types. Types inferred from the operands come first.

use super::super::doc::{self, Topic};
use super::super::gpu_words;
use super::context::CompletionContext;
use super::item::{Completion, CompletionKind, first_sentence};
use super::preview;
use super::values::visible;
use crate::db::{self, File};
use crate::lower::repair::types_text;
use crate::types::Type;
use tile_dialect::{Named, TYPE_NAMES, type_since};
use tile_syntax::{NodeKind, Tree, parse_item};

pub(super) fn types(db: &dyn salsa::Database, file: File, ctx: &CompletionContext, offset: u32) -> Vec<Completion> {
    let version = file.options(db).version;
    if let Some(items) = preview::constant_types(ctx.before, &file.options(db)) {
        return items;
    }
    let is_inside = ctx.before.trim_end().ends_with(['<', '(', 'x']);
    let mut items = Vec::new();
    if !is_inside {
        items.extend(inferred(db, file, ctx, offset));
    }
    let around = composite(ctx.before);
    let names = TYPE_NAMES.iter().filter(|name| type_since(name) <= version && is_allowed_in(name, around));
    items.extend(names.map(|name| Completion {
        snippet: snippet(name).map(str::to_string),
        topic: doc::term(name).map(|topic| topic.key()),
        ..Completion::new(*name, CompletionKind::Type, "type")
    }));
    if around.is_none() {
        items.extend(preview::fragment(&file.options(db)));
    }
    items.extend(aliases(db, file));
    // Tile views contain a tensor view, not an element.
    if around.is_none_or(|around| !around.ends_with("_view") || around == "tensor_view") {
        items.extend(elements(db, file));
    }
    items
}

/// All element types.
pub(super) fn elements(db: &dyn salsa::Database, file: File) -> impl Iterator<Item = Completion> + use<> {
    let target = file.options(db).target();
    tile_dialect::ELEMENTS.iter().map(move |row| {
        let detail = gpu_words::offered(first_sentence(row.doc), row.gpus, target);
        Completion::new(row.name, CompletionKind::Type, detail).about(Topic::Element(row))
    })
}

/// The name of the innermost unclosed composite type.
fn composite(before: &str) -> Option<&'static str> {
    let mut depth = 0;
    let opens = before.char_indices().rev().find(|&(at, c)| {
        depth += match c {
            '>' if !before[..at].ends_with('-') => 1,
            '<' => -1,
            _ => 0,
        };
        depth < 0
    });
    let name = before[..opens?.0].trim_end();
    // A name can be a suffix of another, so take the longest.
    let ends = TYPE_NAMES.iter().filter(|own| name.ends_with(**own));
    ends.max_by_key(|own| own.len()).copied()
}

/// Reports whether a type can be nested in another: a tile contains numbers or pointers, a tile view contains a tensor
/// view.
fn is_allowed_in(name: &str, around: Option<&str>) -> bool {
    match around {
        None => true,
        Some("tile") => name == "ptr",
        Some("ptr" | "tensor_view") => false,
        Some(_) => name == "tensor_view",
    }
}

/// The snippet for a composite type.
fn snippet(name: &str) -> Option<&'static str> {
    Some(match name {
        "tile" => "tile<${1:64x64xf32}>",
        "ptr" => "ptr<${1:f32}>",
        "tensor_view" => "tensor_view<${1:?x?xf32}, strides=[${2:?,1}]>",
        "partition_view" => "partition_view<tile=(${1:64x64}), $2>",
        "strided_view" => "strided_view<tile=(${1:64x64}), traversal_strides=[${2:64,64}], $3>",
        _ => return None,
    })
}

/// The types inferred for the rest of the statement, then the types of its operands.
fn inferred(db: &dyn salsa::Database, file: File, ctx: &CompletionContext, offset: u32) -> Vec<Completion> {
    let Some(statement) = Statement::read(db, file, ctx) else { return Vec::new() };
    let seen = visible(db, file, offset);
    let row = statement.named.row;
    let ty = |name: &String| seen.iter().find(|value| value.name == *name).map(|value| value.ty);
    let group = |slot: usize| -> Option<Vec<Type>> {
        let own = statement.operands.iter().filter(|(index, _)| *index == slot);
        own.map(|(_, name)| ty(name).filter(|ty| !ty.is_unknown())).collect()
    };
    let groups: Option<Vec<Vec<Type>>> = (0..row.operands.len()).map(group).collect();
    let mut labels: Vec<String> = Vec::new();
    let derived = groups.as_ref().and_then(|groups| types_text(statement.named, groups, file.options(db).version));
    if let Some(rest) = derived.and_then(|types| rest(&types, &statement.typed)) {
        labels.push(rest);
    }
    let operands = groups.into_iter().flatten().flatten().map(|ty: Type| ty.to_string());
    for label in operands {
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    let item = |label: String| Completion::new(label, CompletionKind::Type, "from the operands");
    labels.into_iter().map(item).collect()
}

/// The part of the inferred types that is not written yet.
fn rest(types: &str, typed: &str) -> Option<String> {
    let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().concat();
    let typed = squeeze(typed);
    let ends = types.char_indices().map(|(at, c)| at + c.len_utf8());
    let end = ends.into_iter().find(|&end| squeeze(&types[..end]) == typed)?;
    Some(types[end..].trim_start().to_string()).filter(|rest| !rest.is_empty())
}

/// The statement before the cursor.
struct Statement {
    named: Named,
    /// The slots and texts of its operands.
    operands: Vec<(usize, String)>,
    /// The text from its first colon or arrow up to the cursor.
    typed: String,
}

impl Statement {
    fn read(db: &dyn salsa::Database, file: File, ctx: &CompletionContext) -> Option<Statement> {
        let at = ctx.replaced.start;
        let (start, item) = db::layout(db, file).before(at)?;
        let before = item.text(db).get(..(at - start) as usize)?;
        // Parse only the text before the cursor, so that what follows does not become part of the statement.
        let tree = parse_item(before);
        let last = tree.tokens.len().checked_sub(1)?;
        let last = (0..=last).rev().find(|&token| {
            tree.tokens.end(token) as usize <= before.trim_end().len()
                && tree.tokens.end(token) > tree.tokens.start(token)
        })?;
        let op = tree.path_to(last).into_iter().rfind(|&node| tree.kind(node) == NodeKind::Op)?;
        let name = tree.child(op, NodeKind::OpName)?;
        let named = tile_dialect::lookup(tree.text(name, before))?;
        let operands = tree.children_of(op, NodeKind::Operand);
        let operands = operands.map(|node| (tree.slot(node) as usize, tree.text(node, before).to_string())).collect();
        Some(Statement { named, operands, typed: typed(&tree, op, before) })
    }
}

/// The text of a statement from its first colon or arrow outside of brackets.
fn typed(tree: &Tree, op: tile_syntax::Node, text: &str) -> String {
    use tile_syntax::Token as T;
    let mut depth = 0;
    for token in tree.tokens_of(op) {
        match tree.tokens.kind(token) {
            T::LeftParen | T::LeftBracket | T::Less | T::LeftBrace => depth += 1,
            T::RightParen | T::RightBracket | T::Greater | T::RightBrace => depth -= 1,
            T::Colon | T::Arrow if depth == 0 && tree.tokens.start(token) > tree.range(op).start => {
                // `%a:2 = …` has a colon before the op's name.
                let name = tree.child(op, NodeKind::OpName).map_or(0, |name| tree.range(name).end);
                if tree.tokens.start(token) >= name {
                    return text[tree.tokens.start(token) as usize..].to_string();
                }
            }
            _ => {}
        }
    }
    String::new()
}

/// The type aliases of the file.
pub(super) fn aliases(db: &dyn salsa::Database, file: File) -> Vec<Completion> {
    let aliases = db::context(db, file).type_aliases.iter();
    let mut items: Vec<Completion> =
        aliases.map(|(name, ty)| Completion::new(format!("!{name}"), CompletionKind::Type, ty.to_string())).collect();
    items.sort_by(|a, b| a.label.cmp(&b.label));
    items
}
