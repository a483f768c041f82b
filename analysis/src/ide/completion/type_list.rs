//! Completion of types. Types inferred from the operands come first.

use super::super::doc::{self, Topic};
use super::super::gpu_words;
use super::super::statement_types;
use super::context::CompletionContext;
use super::item::{Completion, CompletionKind, first_sentence};
use super::preview;
use crate::db::{self, File};
use crate::types::Type;
use tile_dialect::{TYPE_NAMES, type_since};

pub(super) fn types(db: &dyn salsa::Database, file: File, ctx: &CompletionContext) -> Vec<Completion> {
    let version = file.options(db).version;
    if let Some(items) = preview::constant_types(ctx.before, &file.options(db)) {
        return items;
    }
    if ctx.is_in_entry_header && composite(ctx.before).is_none() {
        return parameter_types(db, file);
    }
    let is_inside = ctx.before.trim_end().ends_with(['<', '(', 'x']);
    let mut items = Vec::new();
    if !is_inside {
        items.extend(inferred(db, file, ctx));
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

/// The types that a parameter of an entry can have: scalars.
fn parameter_types(db: &dyn salsa::Database, file: File) -> Vec<Completion> {
    let scalar = Completion {
        snippet: Some("tile<${1:ptr<f32>}>".to_string()),
        topic: doc::term("tile").map(|topic| topic.key()),
        ..Completion::new("tile", CompletionKind::Type, "type")
    };
    let is_scalar = |ty: Type| ty.as_tile().is_some_and(|tile| tile.rank() == 0);
    std::iter::once(scalar).chain(aliases_of(db, file, is_scalar)).collect()
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

/// The types that complete the statement, then the types of its operands.
fn inferred(db: &dyn salsa::Database, file: File, ctx: &CompletionContext) -> Vec<Completion> {
    let Some(statement) = statement_types::before(db, file, ctx.replaced.start) else { return Vec::new() };
    let mut labels: Vec<String> = Vec::new();
    for label in statement.rests().into_iter().chain(statement.operand_types().map(|ty| ty.to_string())) {
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    let item = |label: String| Completion::new(label, CompletionKind::Type, "from the operands");
    labels.into_iter().map(item).collect()
}

/// The type aliases of the file.
pub(super) fn aliases(db: &dyn salsa::Database, file: File) -> Vec<Completion> {
    aliases_of(db, file, |_| true)
}

/// The aliases of types that fulfill a condition.
fn aliases_of(db: &dyn salsa::Database, file: File, fits: impl Fn(Type) -> bool) -> Vec<Completion> {
    let aliases = db::context(db, file).type_aliases.iter().filter(|(_, ty)| fits(**ty));
    let mut items: Vec<Completion> =
        aliases.map(|(name, ty)| Completion::new(format!("!{name}"), CompletionKind::Type, ty.to_string())).collect();
    items.sort_by(|a, b| a.label.cmp(&b.label));
    items
}
