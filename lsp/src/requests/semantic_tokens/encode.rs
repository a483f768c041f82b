//! Positions of semantic tokens in the protocol's form: each relative to the one before.

use crate::text::Encoding;
use std::ops::Range;

/// Iterates over a text and computes the position of each token relative to the one before.
pub(super) struct Encoder<'t> {
    text: &'t [u8],
    encoding: Encoding,
    /// The current byte, its line and its column.
    at: usize,
    line: u32,
    column: u32,
    /// The start of the last token.
    last: (u32, u32),
}

impl<'t> Encoder<'t> {
    /// Creates an encoder at the start of a line.
    pub(super) fn from(text: &'t str, encoding: Encoding, at: u32, line: u32) -> Encoder<'t> {
        Encoder { text: text.as_bytes(), encoding, at: at as usize, line, column: 0, last: (0, 0) }
    }

    /// Returns the line and the column of a token relative to the last one, and its length up to the end of its line.
    /// Tokens must come in the order of the text; `None` for one that starts before the encoder's position or is empty.
    pub(super) fn place(&mut self, range: &Range<u32>) -> Option<[u32; 3]> {
        let (start, end) = (range.start as usize, (range.end as usize).min(self.text.len()));
        if start < self.at || start >= end {
            return None;
        }
        while self.at < start {
            self.step();
        }
        let (line, column) = (self.line, self.column);
        let word = &self.text[start..end];
        if word.iter().all(|byte| (b' '..=b'~').contains(byte)) {
            (self.at, self.column) = (end, column + word.len() as u32);
        }
        while self.at < end && !matches!(self.text[self.at], b'\n' | b'\r') {
            self.step();
        }
        let length = self.column - column;
        let from = if line == self.last.0 { self.last.1 } else { 0 };
        let place = [line - self.last.0, column - from, length];
        self.last = (line, column);
        (length > 0).then_some(place)
    }

    /// Advances by a byte.
    fn step(&mut self) {
        let byte = self.text[self.at];
        self.at += 1;
        let is_break = byte == b'\n' || byte == b'\r' && self.text.get(self.at) != Some(&b'\n');
        if is_break {
            (self.line, self.column) = (self.line + 1, 0);
        } else if byte.is_ascii() {
            self.column += 1;
        } else {
            self.column += self.units(byte);
        }
    }

    /// The number of columns that a byte of a non-ASCII character adds.
    fn units(&self, byte: u8) -> u32 {
        let starts = byte & 0xc0 != 0x80;
        match self.encoding {
            Encoding::Utf8 => 1,
            Encoding::Utf16 => u32::from(starts) + u32::from(byte >= 0xf0),
            Encoding::Utf32 => u32::from(starts),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_relative_to_the_one_before() {
        let text = "a bc\r\n\r\nä𝄞 x\ry\nz";
        let place = |word: &str| text.find(word).expect("the text contains the word") as u32;
        let words = |encoding| {
            let mut encoder = Encoder::from(text, encoding, 0, 0);
            let ranges = [("a", 1), ("bc", 2), ("ä", 6), ("x", 1), ("y", 1), ("z", 1)];
            ranges.map(|(word, length)| {
                encoder.place(&(place(word)..place(word) + length)).expect("the token has a position")
            })
        };
        let rest = [[1, 0, 1], [1, 0, 1]];
        assert_eq!(words(Encoding::Utf16)[..4], [[0, 0, 1], [0, 2, 2], [2, 0, 3], [0, 4, 1]]);
        assert_eq!(words(Encoding::Utf32)[..4], [[0, 0, 1], [0, 2, 2], [2, 0, 2], [0, 3, 1]]);
        assert_eq!(words(Encoding::Utf8)[..4], [[0, 0, 1], [0, 2, 2], [2, 0, 6], [0, 7, 1]]);
        assert_eq!(words(Encoding::Utf16)[4..], rest);
    }

    #[test]
    fn a_token_ends_with_its_line() {
        let mut encoder = Encoder::from("// a\rb c", Encoding::Utf16, 0, 0);
        assert_eq!(encoder.place(&(0..6)), Some([0, 0, 4]));
        assert_eq!(encoder.place(&(7..8)), Some([1, 2, 1]));
    }
}
