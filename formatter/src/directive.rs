//! Formatting of launch directives: `//@ launch …`, `//@ bench …`, `//@   %a = …`, `//@ forward …`, `//@ expect …`.
//!
//! Only spaces change: one after commas, none inside brackets, one on each side of an argument's `=` and of
//! comparisons, none around any other `=`. The rest of a formula is left unchanged.

use crate::source::is_blank;

/// The prefix of a directive.
const MARK: &str = "//@";

/// Formats a directive; returns `None` for any other comment.
pub(crate) fn lay_out(comment: &str) -> Option<String> {
    let text = comment.strip_prefix(MARK)?.trim_matches(is_blank);
    let is_argument = assigns(text);
    let is_other =
        ["launch", "bench", "forward", "expect"].contains(&text.split([' ', '\t', '"', '%']).next().unwrap_or(""));
    if !is_argument && !is_other {
        return None;
    }
    let mut line = String::with_capacity(comment.len() + 8);
    line.push_str(MARK);
    line.push_str(if is_argument { "   " } else { " " });
    write(text, is_argument, &mut line);
    Some(line)
}

/// Whether a line defines an argument: `%a = …`. A formula continued from the line above can also begin with `%` and
/// contain an `=` later, as in `%a[:, 0], axis=1)`.
fn assigns(text: &str) -> bool {
    let Some((name, value)) = text.strip_prefix('%').and_then(|text| text.split_once('=')) else { return false };
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_$.-".contains(c);
    !value.starts_with('=') && name.trim_end_matches(is_blank).chars().all(is_name)
}

/// Appends the text of a directive to `line`. With `is_argument`, the first `=` separates a name from its value.
fn write(text: &str, is_argument: bool, line: &mut String) {
    let mut rest = text;
    let (mut before, mut assigns) = (Part::Open, is_argument);
    while !rest.is_empty() {
        let blank = rest.starts_with(is_blank);
        rest = rest.trim_start_matches(is_blank);
        let (length, mut part) = next(rest);
        if part == Part::Equal && assigns {
            (part, assigns) = (Part::Comparison, false);
        }
        // Without the space, the two would be read as one comparison.
        let would_join = blank && rest.starts_with('=') && line.ends_with(['=', '~', '!', '<', '>']);
        if would_join || needs_space(before, part, blank) {
            line.push(' ');
        }
        line.push_str(&rest[..length]);
        rest = &rest[length..];
        before = part;
    }
}

/// A token of a directive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Word,
    Comma,
    Equal,
    Comparison,
    Open,
    Close,
}

fn needs_space(before: Part, part: Part, blank: bool) -> bool {
    match (before, part) {
        (Part::Open | Part::Equal, _) | (_, Part::Close | Part::Comma | Part::Equal) => false,
        (Part::Comma | Part::Comparison, _) | (_, Part::Comparison) => true,
        _ => blank,
    }
}

/// Returns the length and kind of the first token; the length is zero only for an empty text.
fn next(text: &str) -> (usize, Part) {
    const COMPARISONS: [&str; 5] = ["~=", "==", "!=", "<=", ">="];
    if let Some(found) = COMPARISONS.iter().find(|comparison| text.starts_with(**comparison)) {
        return (found.len(), Part::Comparison);
    }
    let first = text.chars().next().map_or(0, char::len_utf8);
    match text.as_bytes().first() {
        Some(b',') => (1, Part::Comma),
        Some(b'=') => (1, Part::Equal),
        Some(b'(' | b'[') => (1, Part::Open),
        Some(b')' | b']') => (1, Part::Close),
        Some(b'"') => (string_length(text), Part::Word),
        _ => {
            let ends = |c: char| is_blank(c) || ",=()[]\"~!<>".contains(c);
            (text[first..].find(ends).map_or(text.len(), |end| first + end), Part::Word)
        }
    }
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::lay_out;

    #[test]
    fn formats_directives() {
        for (before, after) in [
            ("//@launch  \"a  b\"   grid = (8,1 , 1)", "//@ launch \"a  b\" grid=(8, 1, 1)"),
            ("//@ %a=f32[ 4,4 ] uniform(-1,1,seed = 1)", "//@   %a = f32[4, 4] uniform(-1, 1, seed=1)"),
            ("//@   %a = f32[4] strides = [ 2 ] zeros", "//@   %a = f32[4] strides=[2] zeros"),
            ("//@ %a=f32[4] replicas = 2 [ zeros,[1,2] ]", "//@   %a = f32[4] replicas=2 [zeros, [1, 2]]"),
            ("//@ %l=i64[ 2 ] [ &%a,&%b[ 1 ] + 64 ]", "//@   %l = i64[2] [&%a, &%b[1] + 64]"),
            ("//@  forward  @k   grid = (8,1)", "//@ forward @k grid=(8, 1)"),
            ("//@ %m=multicast( %x )", "//@   %m = multicast(%x)"),
            ("//@ expect %c~=%a+%b  @ %d rtol = 1e-3", "//@ expect %c ~= %a+%b @ %d rtol=1e-3"),
            ("//@\texpect print \"a,\\\"b\"", "//@ expect print \"a,\\\"b\""),
            ("//@ expect %c==%a[1:2,::2]", "//@ expect %c == %a[1:2, ::2]"),
            ("//@ expect (%c[1:]>=%c[:-1])==1", "//@ expect (%c[1:] >= %c[:-1]) == 1"),
            ("//@ expect grad( %y,%x )~=%d", "//@ expect grad(%y, %x) ~= %d"),
            ("//@ expect %a = == %b", "//@ expect %a= == %b"),
            ("//@ expect %a ~ = %b", "//@ expect %a ~ =%b"),
        ] {
            assert_eq!(lay_out(before).as_deref(), Some(after));
            assert_eq!(lay_out(after).as_deref(), Some(after));
        }
    }

    #[test]
    fn ignores_other_comments() {
        for comment in
            ["// launch", "//@ launches", "//@", "//@ else  x", "//@  %a[:,0],axis=1)", "//@  %a==%b)", "//@  %a"]
        {
            assert_eq!(lay_out(comment), None);
        }
    }
}
