//! Hovers for the parts of a view type: `tile=`, `padding_value`, `dim_map`.

use super::super::cursor::Cursor;
use super::super::doc::{self, Topic};
use super::content::Hover;
use tile_dialect::PADDING;
use tile_syntax::{NodeKind, Token};

/// The hover on the keyword of a part, or on a padding value.
pub(super) fn hover(cursor: &Cursor) -> Option<Hover> {
    if cursor.kind() != Token::Name || cursor.node(NodeKind::Type).is_none() {
        return None;
    }
    let topic = match cursor.word() {
        "padding_value" => Topic::Enum(&PADDING),
        "tile" if is(cursor, cursor.token + 1, "=") => doc::term("tile sizes")?,
        name if is(cursor, cursor.token + 1, "=") => doc::term(name)?,
        value if is_assigned(cursor, PADDING.name) => Topic::Value(&PADDING, PADDING.value(value)?),
        _ => return None,
    };
    Some(Hover { range: cursor.word_range(), text: topic.brief() })
}

/// Reports whether the word follows `name =`.
fn is_assigned(cursor: &Cursor, name: &str) -> bool {
    cursor.token >= 2 && is(cursor, cursor.token - 1, "=") && is(cursor, cursor.token - 2, name)
}

/// Reports whether a token has this text.
fn is(cursor: &Cursor, token: usize, text: &str) -> bool {
    let tokens = &cursor.tree.tokens;
    token < tokens.len() && tokens.text(token, cursor.text) == text
}
