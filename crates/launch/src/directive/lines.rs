//! Finds the directives among the comments.

use std::ops::Range;

/// The words before the tolerances of an expectation.
const TOLERANCES: [&str; 2] = ["rtol", "atol"];

/// The prefix that makes a comment a directive.
pub const SIGN: &str = "//@";

/// The directives in `block`, each without its first `//@`. A directive continues on the next line while a bracket is
/// open, if it ends with an operator, or if the next line begins as no directive does: with a quoted string, an
/// operator or a tolerance.
pub(super) fn directives(text: &str, block: Range<usize>) -> Vec<Range<usize>> {
    let Some(lines) = text.get(block.clone()) else { return vec![] };
    let mut found: Vec<Range<usize>> = vec![];
    let mut open = 0;
    let mut start = block.start;
    for line in lines.split_inclusive('\n') {
        let here = start;
        start += line.len();
        let Some(content) = line.trim_start().strip_prefix(SIGN) else {
            open = 0;
            continue;
        };
        let indent = line.len() - line.trim_start().len() + SIGN.len();
        let end = here + line.trim_end().len().max(indent);
        match found.last_mut() {
            Some(last) if must_continue(content) => last.end = end,
            Some(last) if (open > 0 || ends_with_operator(&text[last.clone()])) && !begins_directive(content) => {
                last.end = end;
            }
            _ => {
                open = 0;
                found.push(here + indent..end);
            }
        }
        open = (open + balance(content)).max(0);
    }
    found
}

/// Whether a line must be a continuation because no directive begins like it.
fn must_continue(content: &str) -> bool {
    let content = content.trim_start();
    let is_tolerance = |word: &str| content.strip_prefix(word).is_some_and(|rest| rest.trim_start().starts_with('='));
    content.starts_with(['"', '+', '-', '*', '/', '@', '<', '>', '~', '=', '!'])
        || TOLERANCES.into_iter().any(is_tolerance)
}

/// Whether a directive is incomplete because its last line ends with an operator.
fn ends_with_operator(directive: &str) -> bool {
    directive.trim_end().ends_with(['+', '-', '*', '/', '@', '<', '>', '='])
}

/// Whether a line cannot be a continuation because it begins like a directive.
fn begins_directive(content: &str) -> bool {
    let content = content.trim_start();
    let keyword = ["launch", "forward", "expect"].into_iter().filter_map(|word| content.strip_prefix(word));
    let is_keyword = keyword.into_iter().any(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'));
    let assigned = content.strip_prefix('%').and_then(|rest| rest.split_once('='));
    let is_argument = assigned.is_some_and(|(name, rest)| {
        let name = name.trim_end();
        !rest.starts_with('=') && name.chars().all(|c| c.is_ascii_alphanumeric() || "_$.-".contains(c))
    });
    is_keyword || is_argument
}

/// How many more brackets a line opens than it closes, ignoring quoted strings.
fn balance(content: &str) -> i64 {
    let mut depth = 0;
    let mut quoted = false;
    let mut characters = content.chars();
    while let Some(c) = characters.next() {
        match c {
            '"' => quoted = !quoted,
            '\\' if quoted => {
                characters.next();
            }
            '(' | '[' if !quoted => depth += 1,
            ')' | ']' if !quoted => depth -= 1,
            _ => {}
        }
    }
    depth
}
