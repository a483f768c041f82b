//! Where syntax errors are reported.

use std::ops::Range;
use tile_syntax::{ErrorKind, Expected, SyntaxError, Tree};

/// The position that determines the statement of an error. Missing text is reported at the next token, which may start
/// the next statement.
pub(crate) fn place_of(error: &SyntaxError, tree: &Tree) -> Range<u32> {
    let before = tree.tokens.at(error.range.start).checked_sub(1);
    let end = before.map_or(error.range.start, |before| tree.tokens.end(before));
    match error.kind {
        ErrorKind::Expected(Expected::Type) => end..end,
        ErrorKind::Expected(Expected::Text(text)) if text != "}" => end..error.range.start,
        ErrorKind::Expected(
            Expected::Operand(..) | Expected::Attr(..) | Expected::Types(..) | Expected::Clause(..),
        ) => end..error.range.start,
        _ => error.range.clone(),
    }
}
