//! The encoding of a file: byte order mark and line endings.

use std::borrow::Cow;

/// A byte order mark.
pub(crate) const MARK: &str = "\u{feff}";

/// The encoding of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Encoding {
    has_mark: bool,
    has_returns: bool,
}

impl Encoding {
    /// Splits a file into its encoding and its text without the byte order mark and, if every line ends with CRLF,
    /// without the carriage returns.
    pub(crate) fn split(text: &str) -> (Encoding, Cow<'_, str>) {
        let (has_mark, body) = match text.strip_prefix(MARK) {
            Some(body) => (true, body),
            None => (false, text),
        };
        let has_returns = ends_with_returns(body);
        let body = if has_returns { Cow::Owned(body.replace("\r\n", "\n")) } else { Cow::Borrowed(body) };
        (Encoding { has_mark, has_returns }, body)
    }

    /// Restores the encoding of a file.
    pub(crate) fn join(self, body: &str) -> String {
        let mut text = String::with_capacity(body.len() + MARK.len());
        if self.has_mark {
            text.push_str(MARK);
        }
        if self.has_returns {
            text.push_str(&body.replace('\n', "\r\n"));
        } else {
            text.push_str(body);
        }
        text
    }
}

/// Whether the text has lines and all of them end with CRLF.
fn ends_with_returns(text: &str) -> bool {
    let ends = |line: &str| line.ends_with("\r\n") || !line.ends_with('\n');
    text.contains("\r\n") && text.split_inclusive('\n').all(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_put_together_as_it_was() {
        for text in ["", "a\nb\n", "a\r\nb\r\n", "\u{feff}a\r\n", "\u{feff}a", "a\r\nb\n"] {
            let (encoding, body) = Encoding::split(text);
            assert_eq!(encoding.join(&body), text);
        }
    }

    #[test]
    fn mixed_line_ends_are_no_convention() {
        assert_eq!(Encoding::split("a\r\nb\n").1, "a\r\nb\n");
        assert_eq!(Encoding::split("a\r\nb\r\n").1, "a\nb\n");
    }
}
