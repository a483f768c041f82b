//! The byte order mark and the line endings of a file, which formatting preserves.

use std::borrow::Cow;

/// A byte order mark.
pub(crate) const MARK: &str = "\u{feff}";

/// The byte order mark and the line endings of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Encoding {
    has_mark: bool,
    is_crlf: bool,
}

impl Encoding {
    /// Splits a file into its encoding and its text, without the mark. If all lines end with CRLF, the text has LF
    /// instead.
    pub(crate) fn split(text: &str) -> (Encoding, Cow<'_, str>) {
        let (has_mark, body) = match text.strip_prefix(MARK) {
            Some(body) => (true, body),
            None => (false, text),
        };
        let is_crlf = is_crlf(body);
        let body = if is_crlf { Cow::Owned(body.replace("\r\n", "\n")) } else { Cow::Borrowed(body) };
        (Encoding { has_mark, is_crlf }, body)
    }

    /// Applies the encoding to a text; the inverse of `split`.
    pub(crate) fn join(self, body: &str) -> String {
        let mut text = String::with_capacity(body.len() + MARK.len());
        if self.has_mark {
            text.push_str(MARK);
        }
        if self.is_crlf {
            text.push_str(&body.replace('\n', "\r\n"));
        } else {
            text.push_str(body);
        }
        text
    }
}

/// Whether the text has a CRLF and no line that ends with LF alone.
fn is_crlf(text: &str) -> bool {
    let ends = |line: &str| line.ends_with("\r\n") || !line.ends_with('\n');
    text.contains("\r\n") && text.split_inclusive('\n').all(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn join_is_the_inverse_of_split() {
        for text in ["", "a\nb\n", "a\r\nb\r\n", "\u{feff}a\r\n", "\u{feff}a", "a\r\nb\n"] {
            let (encoding, body) = Encoding::split(text);
            assert_eq!(encoding.join(&body), text);
        }
    }

    #[test]
    fn mixed_line_endings_are_not_crlf() {
        assert_eq!(Encoding::split("a\r\nb\n").1, "a\r\nb\n");
        assert_eq!(Encoding::split("a\r\nb\r\n").1, "a\nb\n");
    }
}
