//! Hovers.

mod code;
mod content;
pub(super) mod facts;
mod keyword;
mod literal;
mod op;
mod symbol;
mod value;
mod view;

pub use code::about;
pub use content::Hover;

use super::cursor::Cursor;
use super::doc::{self, Topic};
use super::type_words;
use super::view_words::{self, OpenSizes};
use crate::db::{self, File};
use crate::read::ty;
use content::code;
use tile_dialect::{DIALECT_PREFIX, Element, MEMORY_SPACE, PTR_ATTR, TYPE_NAMES};
use tile_syntax::{NodeKind, Token};

/// The hover at an offset.
pub fn hover(db: &dyn salsa::Database, file: File, offset: u32) -> Option<Hover> {
    if let Some(shown) = code::hover(file.text(db), offset) {
        return Some(shown);
    }
    let cursor = Cursor::new(db, file, offset)?;
    if let Some(shown) = value::hover(&cursor) {
        return Some(shown);
    }
    match cursor.kind() {
        Token::Symbol => symbol::hover(db, file, &cursor),
        Token::TypeName => types(db, file, &cursor),
        Token::Integer if let Some(shown) = literal::hover(&cursor) => Some(shown),
        _ if let Some(shown) = view::hover(&cursor) => Some(shown),
        _ => op::hover(&cursor).or_else(|| types(db, file, &cursor)).or_else(|| keyword::hover(&cursor)),
    }
}

/// The hover for a type, on any of its words.
fn types(db: &dyn salsa::Database, file: File, cursor: &Cursor) -> Option<Hover> {
    let context = db::context(db, file);
    let alias = cursor.word().strip_prefix('!').and_then(|name| context.type_aliases.get(name));
    let node = cursor.node(NodeKind::Type);
    let (ty, range) = match (alias, node) {
        (Some(&ty), _) => (ty, cursor.word_range()),
        (None, Some(node)) => {
            let tokens = cursor.tree.tokens_of(node);
            let ty = ty::read_silently(cursor.text, &cursor.tree.tokens, tokens, context);
            (ty, cursor.in_file(&cursor.tree.range(node)))
        }
        (None, None) => return None,
    };
    let mut text = String::new();
    if !ty.is_unknown() {
        text = format!("{}\n{}\n", code(&ty.to_string()), type_words::words(ty));
        let details = view_words::details(ty, &OpenSizes::default());
        if !details.is_empty() {
            text += &format!("\n{details}");
        }
    }
    if let Some(topic) =
        element(cursor).or_else(|| composite(cursor)).or_else(|| pointer_attr(cursor)).or_else(|| of_fragment(cursor))
    {
        let separator = if text.is_empty() { "" } else { "\n---\n\n" };
        text += &format!("{separator}{}", topic.brief());
    }
    (!text.is_empty()).then_some(Hover { range, text })
}

/// The element type under the cursor: the whole word, or the end of `64x64xf32`.
fn element(cursor: &Cursor) -> Option<Topic> {
    let word = match cursor.kind() {
        Token::Extents => cursor.word().rsplit('x').next()?,
        Token::Name => cursor.word(),
        _ => return None,
    };
    Element::from_name(word).map(|element| Topic::Element(element.row()))
}

/// The pointer attribute under the cursor, or its name: `<multicast>`, `#cuda_tile.ptr_attr<multicast>`.
fn pointer_attr(cursor: &Cursor) -> Option<Topic> {
    let word = cursor.word();
    let name = word.strip_prefix('#').and_then(|name| name.strip_prefix(DIALECT_PREFIX));
    match PTR_ATTR.value(word) {
        Some(value) => Some(Topic::Value(&PTR_ATTR, value)),
        None => (name == Some(PTR_ATTR.name)).then_some(Topic::Enum(&PTR_ATTR)),
    }
}

/// The part of a fragment of the SIMT preview under the cursor: `smem`, `fragmap`.
fn of_fragment(cursor: &Cursor) -> Option<Topic> {
    let word = cursor.word();
    let is_name = matches!(cursor.kind(), Token::Name);
    let space = MEMORY_SPACE.value(word).map(|value| Topic::Value(&MEMORY_SPACE, value));
    let part =
        || matches!(word, "preview$fragment" | "fragmap" | "mem_layout").then(|| doc::term("fragment")).flatten();
    if is_name { space.or_else(part) } else { None }
}

/// The composite type whose name is under the cursor.
fn composite(cursor: &Cursor) -> Option<Topic> {
    let name = cursor.word();
    let name = name.strip_prefix('!').unwrap_or(name);
    let name = name.strip_prefix(DIALECT_PREFIX).unwrap_or(name);
    TYPE_NAMES.contains(&name).then(|| doc::term(name))?
}

#[cfg(test)]
mod tests;
