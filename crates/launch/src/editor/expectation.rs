//! Completions in expectations.

use super::item::{Completion, completion, words_at};
use crate::words::WordContext;

/// The completions after `expect` and this text.
pub(super) fn expectation(expected: &str, named: &dyn Fn() -> Vec<Completion>) -> Vec<Completion> {
    let value = || named().into_iter().chain(words_at(WordContext::Formula));
    let side = |contexts: &[WordContext]| {
        let words = contexts.iter().flat_map(|&context| words_at(context));
        named().into_iter().chain(words).chain(words_at(WordContext::Formula)).collect()
    };
    match sign(expected) {
        _ if expected.is_empty() => side(&[WordContext::Side, WordContext::Expect]),
        Sign::Missing if ["print", "error"].iter().any(|word| expected.starts_with(word)) => Vec::new(),
        Sign::Missing | Sign::Enclosed if is_value_due(expected) => value().collect(),
        Sign::Missing => vec![completion("~=", "~= ", "within a tolerance"), completion("==", "== ", "exactly")],
        Sign::Enclosed => Vec::new(),
        Sign::Before(formula) if formula.trim_end().is_empty() => side(&[WordContext::Side]),
        Sign::Before(formula) if is_value_due(formula) => value().collect(),
        Sign::Before(_) => words_at(WordContext::Tolerance),
    }
}

/// The place of `~=` or `==` in the text of an expectation.
enum Sign<'t> {
    /// The left side may end here.
    Missing,
    /// The left side has an open bracket.
    Enclosed,
    /// This text follows the sign.
    Before(&'t str),
}

fn sign(expected: &str) -> Sign<'_> {
    let mut depth = 0;
    for (at, c) in expected.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '~' | '=' if depth == 0 && expected[at + 1..].starts_with('=') => return Sign::Before(&expected[at + 2..]),
            _ => {}
        }
    }
    if depth > 0 { Sign::Enclosed } else { Sign::Missing }
}

/// Whether a value must follow the beginning of a formula, because it ends with an operator or an open bracket.
fn is_value_due(formula: &str) -> bool {
    let formula = formula.trim_end();
    let is_comparison = ["==", "!=", "<=", ">="].iter().any(|sign| formula.ends_with(sign));
    is_comparison || formula.ends_with(['+', '-', '*', '/', '@', '<', '>', '(', ',', '['])
}
