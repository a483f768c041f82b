//! Reads and writes quoted strings.

use super::{Cursor, Parsed};
use crate::error::LaunchError;
use std::ops::Range;

impl Cursor<'_> {
    /// A string in double quotes, with its escape sequences resolved.
    pub(in super::super) fn string(&mut self) -> Parsed<(String, Range<usize>)> {
        let start = self.start();
        if !self.eat("\"") {
            return Err(self.expected("a string in double quotes"));
        }
        let mut text = String::new();
        loop {
            match self.bump() {
                Some('"') => return Ok((text, start..self.at)),
                Some('\\') => text.push(self.escape()?),
                Some(c) if c != '\n' => text.push(c),
                _ => {
                    let end = self.at;
                    return Err(LaunchError::new(start..end, "the string has no closing `\"`"));
                }
            }
        }
    }

    fn bump(&mut self) -> Option<char> {
        let next = self.rest().chars().next()?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn escape(&mut self) -> Parsed<char> {
        let start = self.at - 1;
        match self.bump() {
            Some('n') => Ok('\n'),
            Some('t') => Ok('\t'),
            Some('r') => Ok('\r'),
            Some('0') => Ok('\0'),
            Some(c @ ('"' | '\\')) => Ok(c),
            Some('u') => self.unicode_escape(start),
            _ => {
                let error = LaunchError::new(start..self.at, "unknown escape sequence");
                Err(error.help("the escape sequences are \\n, \\t, \\r, \\0, \\\", \\\\ and \\u{…}"))
            }
        }
    }

    fn unicode_escape(&mut self, start: usize) -> Parsed<char> {
        let rest = self.rest();
        let digits = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')).map(|(digits, _)| digits);
        let code = digits.filter(|digits| digits.len() <= 6).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match (code.and_then(char::from_u32), digits) {
            (Some(c), Some(digits)) => {
                self.at += digits.len() + 2;
                Ok(c)
            }
            _ => {
                Err(LaunchError::new(start..self.at, "`\\u` needs a Unicode code point")
                    .help("write it as in `\\u{20AC}`"))
            }
        }
    }
}

/// `text` in double quotes, as [`Cursor::string`] reads it.
pub(in super::super) fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            c if c.is_control() => quoted.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_strings_round_trip() {
        for text in ["", "done\n", "a\"b\\c\t\r\u{1b}\0", "äö€"] {
            let quoted = quote(text);
            assert_eq!(Cursor::new(&quoted, 0..quoted.len()).string().unwrap().0, text);
        }
        for bad in ["\"abc", "\"\\q\"", "\"\\u{110000}\"", "\"\\u12\"", "x"] {
            assert!(Cursor::new(bad, 0..bad.len()).string().is_err(), "{bad}");
        }
    }
}
