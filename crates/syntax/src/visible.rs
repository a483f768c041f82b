//! Makes untrusted text safe to print on a terminal: characters that would move the cursor, change colors or reorder
//! the surrounding text are written as escapes, such as `\u{1b}`.

use std::borrow::Cow;
use std::fmt::Write;

/// Escapes all control and bidirectional characters except tabs and line breaks.
pub fn escape(text: &str) -> Cow<'_, str> {
    escape_where(text, |text, at, c| match c {
        '\t' | '\n' => false,
        // Part of a Windows line break.
        '\r' => !text[at..].starts_with("\r\n"),
        c => is_hidden(c),
    })
}

/// Escapes all control and bidirectional characters, including tabs and line breaks, so that the result is a single
/// line.
pub fn escape_line(text: &str) -> Cow<'_, str> {
    escape_where(text, |_, _, c| is_hidden(c))
}

/// Whether a terminal would act on a character instead of showing it: a control character, or one that changes the
/// direction of text or ends a line.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The escape for a hidden character.
pub fn escaped(c: char) -> String {
    match c {
        '\n' => "\\n".to_string(),
        '\r' => "\\r".to_string(),
        '\t' => "\\t".to_string(),
        c => format!("\\u{{{:x}}}", u32::from(c)),
    }
}

fn escape_where(text: &str, is_escaped: impl Fn(&str, usize, char) -> bool) -> Cow<'_, str> {
    let mut shown = String::new();
    let mut done = 0;
    for (at, c) in text.char_indices() {
        if is_escaped(text, at, c) {
            // Writing to a string cannot fail.
            let _ = write!(shown, "{}{}", &text[done..at], escaped(c));
            done = at + c.len_utf8();
        }
    }
    if done == 0 { Cow::Borrowed(text) } else { Cow::Owned(shown + &text[done..]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_act_on_a_terminal_are_escaped() {
        let cases = [
            ("plain text, ümläut and 😀\tin\nlines\r\n", "plain text, ümläut and 😀\tin\nlines\r\n"),
            ("\x1b[31mred\x1b[0m", "\\u{1b}[31mred\\u{1b}[0m"),
            ("a\rb\u{7}\u{8}\u{7f}\0", "a\\rb\\u{7}\\u{8}\\u{7f}\\u{0}"),
            ("\u{202e}txt\u{2066}\u{200f}\u{61c}", "\\u{202e}txt\\u{2066}\\u{200f}\\u{61c}"),
            ("\u{9b}31m\u{2028}", "\\u{9b}31m\\u{2028}"),
        ];
        for (text, shown) in cases {
            assert_eq!(escape(text), shown);
            // Escaping is idempotent.
            assert_eq!(escape(shown), shown);
        }
        assert!(matches!(escape("plain\n"), Cow::Borrowed(_)));
        assert_eq!(escape_line("a\tb\r\nc"), "a\\tb\\r\\nc");
        assert_eq!(escape_line("\x1b"), "\\u{1b}");
    }
}
