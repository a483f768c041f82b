//! Converts syntax errors to diagnostics.

use super::e0001_missing_text::{missing_text, unclosed_brace};
use super::e0002_unknown_op::unknown_op;
use super::e0003_unexpected_text::{
    SUBSCRIPT, body_of_function, misplaced_token, named_operand, stray_token, surplus_keyword, unexpected_text,
};
use super::e0004_keyword_not_allowed::{bad_keyword, bad_word};
use super::e0005_unmatched_brace::unmatched_brace;
use super::e0006_nested_too_deeply::nested_too_deeply;
use super::e0007_open_string::open_string;
use super::e0008_bad_character::bad_character;
use super::e0009_expected_statement::expected_statement;
use super::e0014_bad_name::bad_name;
use super::e0015_not_a_value::{bare_literal, not_a_value};
use super::e0202_malformed_type::{pointer_star, type_first};
use crate::diagnostic::Diagnostic;
use crate::foreign;
use crate::preview::is_item;
use crate::syntax_errors::place_of;
use std::ops::Range;
use tile_dialect::Mnemonic;
use tile_syntax::{ErrorKind, Expected, NodeKind, SyntaxError, Tree};

/// The number of bytes of a line that are examined on each side of an error: a line can be very long.
pub(super) const MAX_AROUND: usize = 256;

/// The rest of the line after an offset, at most `MAX_AROUND` bytes.
pub(super) fn line_after(text: &str, at: u32) -> &str {
    let (start, mut end) = (at as usize, text.len().min(at as usize + MAX_AROUND));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[start..end].lines().next().unwrap_or_default()
}

/// The part of the line before an offset, at most `MAX_AROUND` bytes.
pub(super) fn line_before(text: &str, at: u32) -> &str {
    let (mut start, end) = ((at as usize).saturating_sub(MAX_AROUND), at as usize);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text[start..end].rsplit('\n').next().unwrap_or_default()
}

/// Returns the diagnostic for a syntax error.
pub(crate) fn syntax(error: &SyntaxError, tree: &Tree, text: &str) -> Diagnostic {
    let range = error.range.clone();
    let place = place_of(error, tree);
    let word = text[range.start as usize..range.end as usize].trim_start().lines().next().unwrap_or("");
    let rest = line_after(text, range.end);
    let before = line_before(text, range.start);
    match error.kind {
        ErrorKind::Expected(Expected::OpName) if !word.is_empty() => {
            let mut found = missing_text(Expected::OpName, range.clone(), place, text);
            found.message = format!("expected an op, found `{word}`");
            found.notes.extend(foreign::expression(before, word, rest));
            found
        }
        ErrorKind::Expected(what @ Expected::OpName) if text[range.end as usize..].trim_start().starts_with('"') => {
            let mut found = missing_text(what, range, place, text);
            found.message = "expected an op, found a string".to_string();
            found.note("a comment starts with `//` and runs to the end of the line")
        }
        ErrorKind::Expected(what @ (Expected::Value | Expected::Text("in"))) if is_loop(before) => {
            missing_text(what, range, place, text).note(LOOP)
        }
        ErrorKind::Surplus(op) if is_loop(before) => surplus_keyword(range, op, word).note(LOOP),
        ErrorKind::Expected(what @ Expected::Text(":")) if word == "[" => {
            missing_text(what, range, place, text).note(SUBSCRIPT)
        }
        ErrorKind::Expected(what @ Expected::Text("(")) if word == "[" && function_before(&range, tree).is_some() => {
            missing_text(what, range, place, text).note(CONSTANTS)
        }
        ErrorKind::Expected(what) => missing_text(what, range, place, text),
        ErrorKind::UnknownOp => unknown_op(range, word, rest),
        ErrorKind::ExpectedOp => expected_statement(range, word, rest),
        ErrorKind::Unexpected => {
            let token = tree.tokens.at(range.end.saturating_sub(1));
            match function_before(&error.range, tree) {
                Some(op) if word.starts_with('{') => body_of_function(range, op),
                _ => unexpected_text(range, tree.tokens.text(token, text)),
            }
        }
        ErrorKind::Stray => stray_token(range, word),
        ErrorKind::BadName => bad_name(range, word),
        ErrorKind::Surplus(op) => surplus_keyword(range, op, word),
        ErrorKind::BadKeyword(op, attr) => bad_keyword(range, op, attr, word),
        ErrorKind::NotAValue(op, index) => not_a_value(range, op, index, word),
        ErrorKind::PointerStar => pointer_star(range, word),
        ErrorKind::TypeFirst => type_first(range, word),
        ErrorKind::NamedOperand(op) => named_operand(range, op, word),
        ErrorKind::Misplaced(op) => {
            let rest = line_after(text, range.start);
            misplaced_token(range, op, word, rest)
        }
        ErrorKind::BareLiteral(op, _) => bare_literal(range, op, word),
        ErrorKind::BadWord(keyword) => bad_word(range, keyword, word),
        ErrorKind::Unclosed(brace) => unclosed_brace(range, tree, text, brace as usize),
        ErrorKind::ExtraBrace => unmatched_brace(range),
        ErrorKind::TooDeep => nested_too_deeply(range),
        ErrorKind::OpenString => open_string(range),
        ErrorKind::BadCharacter => bad_character(range.clone(), &text[range.start as usize..range.end as usize], rest),
    }
}

/// The syntax of constant parameters.
const CONSTANTS: &str = "write constant parameters as `<[N: index]>` after the name of the function";

/// The preview function whose statement ends before a range.
fn function_before(place: &Range<u32>, tree: &Tree) -> Option<Mnemonic> {
    let last = tree.tokens.at(place.start).checked_sub(1)?;
    let op = tree.path_to(last).into_iter().rfind(|&node| tree.kind(node) == NodeKind::Op)?;
    let row = tile_dialect::ops().get(tree.slot(op) as usize)?;
    is_item(row.op).then_some(row.op)
}

/// The syntax of a loop, for code such as `for i in range(n):` or `for (int i = 0; …)`.
pub(super) const LOOP: &str = "write a loop as `for %i in (%first to %end, step %step) : tile<i32> { … }`";

/// Reports whether a line starts with `for`.
pub(super) fn is_loop(line: &str) -> bool {
    line.trim_start().strip_prefix("for").is_some_and(|rest| rest.starts_with([' ', '(']))
}
