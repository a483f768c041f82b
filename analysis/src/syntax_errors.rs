//! Positions at which syntax errors are reported.

use std::ops::Range;
use tile_syntax::{ErrorKind, Expected, SyntaxError, Tree};

/// Returns a range inside the statement that an error belongs to. A missing part is reported at the next token, which
/// may belong to the next statement.
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
