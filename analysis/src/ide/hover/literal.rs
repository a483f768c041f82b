//! Hovers for floats that are written as their bits, such as `0xFF800000`.

use super::super::cursor::Cursor;
use super::content::Hover;
use super::value::number;
use tile_dialect::Element;
use tile_syntax::Token;

/// The number that hexadecimal bits stand for; `None` for other tokens and for integers.
pub(super) fn hover(cursor: &Cursor) -> Option<Hover> {
    let digits = cursor.word().strip_prefix("0x").or_else(|| cursor.word().strip_prefix("0X"))?;
    let element = element(cursor).filter(|element| !element.is_int())?;
    let bits = u64::from_str_radix(digits, 16).ok()?;
    let text = format!("The bits of `{}` as {element}.\n", number(element, bits));
    Some(Hover { range: cursor.word_range(), text })
}

/// The element type of the literal: after it, as in `[0xFF800000 : f32]`, or before it, as in `<f32: 0xFF800000>`.
fn element(cursor: &Cursor) -> Option<Element> {
    let tokens = &cursor.tree.tokens;
    let kind = |token: usize| (token < tokens.len()).then(|| tokens.kind(token));
    let named = |token: usize| Element::from_name(tokens.text(token, cursor.text));
    if kind(cursor.token + 1) == Some(Token::Colon) {
        return kind(cursor.token + 2).and_then(|_| named(cursor.token + 2));
    }
    let colon = (2..cursor.token).rev().find(|&token| kind(token) == Some(Token::Colon))?;
    (kind(colon - 2) == Some(Token::Less)).then(|| named(colon - 1))?
}
