//! Lines that are followed through changes of the text.

use crate::text::{Text, Touched};

/// How many lines away a line is searched for when the text around it was replaced.
const NEAR: usize = 2000;

/// A line, identified by its number and its text without surrounding blanks.
#[derive(Clone, Debug)]
pub(crate) struct Anchor {
    pub(super) line: usize,
    pub(super) text: String,
}

impl Anchor {
    /// The line that contains a byte.
    pub(crate) fn new(text: &Text, offset: u32) -> Anchor {
        let line = text.rope.byte_to_line((offset as usize).min(text.rope.len_bytes()));
        Anchor { line, text: text.line(line).to_string().trim().to_string() }
    }

    fn is_at(&self, line: usize, text: &Text) -> bool {
        line < text.rope.len_lines() && {
            let found = text.line(line);
            found.len_bytes() >= self.text.len() && found.to_string().trim() == self.text
        }
    }

    /// Follows a change. Returns whether the line still exists.
    pub(super) fn shift(&mut self, touched: &Touched, text: &Text) -> bool {
        if self.line < touched.before.start {
            return true;
        }
        if self.line > touched.before.end {
            self.line = self.line + touched.now.end - touched.before.end;
            return true;
        }
        self.search(touched.now.start, touched.now.end, text)
    }

    /// Moves to the nearest line in this range that has the text.
    fn search(&mut self, first: usize, last: usize, text: &Text) -> bool {
        let near = (0..=NEAR).flat_map(|distance| [self.line.checked_sub(distance), Some(self.line + distance)]);
        let found = near.flatten().find(|line| (first..=last).contains(line) && self.is_at(*line, text));
        if let Some(line) = found {
            self.line = line;
        }
        found.is_some()
    }

    /// Finds the line in a later text.
    pub(crate) fn in_later(mut self, text: &Text) -> Option<Anchor> {
        self.search(0, text.rope.len_lines(), text).then_some(self)
    }

    /// The offset of the line's text in the document, in bytes.
    pub(super) fn start(&self, text: &Text) -> usize {
        let line = text.line(self.line);
        let blank = line.bytes().take_while(u8::is_ascii_whitespace).count();
        text.rope.line_to_byte(self.line) + blank
    }
}
