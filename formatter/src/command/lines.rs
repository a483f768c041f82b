//! The argument of `--range`.

use std::ops::Range;
use std::str::FromStr;

/// An inclusive range of lines, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    first: usize,
    last: usize,
}

impl FromStr for Lines {
    type Err = String;

    fn from_str(word: &str) -> Result<Lines, String> {
        let (first, last) = word.split_once('-').unwrap_or((word, word));
        let number = |word: &str| word.trim().parse().ok().filter(|&number| number > 0);
        match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => Ok(Lines { first, last }),
            _ => Err("expected lines such as `10-20` or `10`, counted from 1".to_owned()),
        }
    }
}

impl Lines {
    /// Returns the byte range of these lines, clamped to the text and without the last line break.
    pub(super) fn of(self, text: &str) -> Range<usize> {
        let mut lines = text.split_inclusive('\n');
        let start: usize = lines.by_ref().take(self.first - 1).map(str::len).sum();
        let length: usize = lines.take(self.last - self.first + 1).map(str::len).sum();
        let end = text[..start + length].trim_end_matches(['\r', '\n']).len();
        start..end.max(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_map_to_byte_ranges() {
        let of = |word: &str, text| word.parse::<Lines>().map(|lines| lines.of(text));
        assert_eq!(of("2-3", "ab\ncd\r\nef\ngh"), Ok(3..9));
        assert_eq!(of("1", "ab\ncd"), Ok(0..2));
        assert_eq!(of("2-9", "ab\ncd"), Ok(3..5));
        assert_eq!(of("7", "ab\ncd"), Ok(5..5));
        for wrong in ["0", "3-2", "a", "1-", "1:2"] {
            assert!(of(wrong, "").is_err(), "{wrong}");
        }
    }
}
