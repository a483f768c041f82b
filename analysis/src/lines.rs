//! Offsets and lines.

use std::ops::Range;
use tile_syntax::line_breaks;

/// Where the lines of a text start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    starts: Vec<u32>,
    /// Whether every character is one byte.
    ascii: bool,
}

/// A place in a text, counted from 1; columns count Unicode characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub row: u32,
    /// The character in the line.
    pub column: u32,
}

impl Lines {
    /// Finds the lines of a text.
    pub fn new(text: &str) -> Lines {
        let bytes = text.as_bytes();
        let mut starts = Vec::with_capacity(bytes.len() / 40 + 1);
        starts.push(0);
        starts.extend(line_breaks(bytes).map(|at| at as u32 + 1));
        Lines { starts, ascii: text.is_ascii() }
    }

    /// The line of an offset, from 0.
    pub fn line(&self, offset: u32) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    /// How many lines there are; an empty text has one.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The bytes of a line, with its line break.
    pub fn range(&self, line: usize, text: &str) -> Range<usize> {
        let end = self.starts.get(line + 1).map_or(text.len(), |&next| next as usize);
        self.starts[line] as usize..end
    }

    /// Where an offset is.
    pub fn place(&self, offset: u32, text: &str) -> Place {
        self.place_in(self.line(offset), offset, text)
    }

    /// Where an offset is that lies in the line `near` or not far behind it, which makes it quick to find.
    pub fn place_near(&self, near: u32, offset: u32, text: &str) -> Place {
        let from = near as usize;
        let next = |line: usize| self.starts.get(line + 1).is_none_or(|&next| offset < next);
        let is_before = self.starts.get(from).is_none_or(|&start| offset < start);
        match (from..from + 8).find(|&line| next(line)) {
            Some(line) if !is_before => self.place_in(line, offset, text),
            _ => self.place(offset, text),
        }
    }

    fn place_in(&self, line: usize, offset: u32, text: &str) -> Place {
        let start = self.starts[line] as usize;
        let column = match text.get(start..offset as usize).unwrap_or("") {
            before if self.ascii || before.is_ascii() => before.len(),
            before => before.chars().count(),
        };
        Place { row: line as u32 + 1, column: column as u32 + 1 }
    }
}

/// The comment lines directly above the line that holds `start`: what is said about the item there.
pub fn comment_lines_above(text: &str, start: usize) -> Range<usize> {
    let line_start = |at: usize| text[..at].rfind('\n').map_or(0, |found| found + 1);
    let end = line_start(start);
    let mut first = end;
    while first > 0 {
        let above = line_start(first - 1);
        if !text[above..first].trim_start().starts_with("//") {
            break;
        }
        first = above;
    }
    first..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_line_changes_nothing() {
        let text = "a\n\nüb\n\n\n\n\n\n\n\n\n\nc";
        let lines = Lines::new(text);
        for offset in (0..=text.len() as u32).filter(|&offset| text.is_char_boundary(offset as usize)) {
            for near in 0..20 {
                assert_eq!(lines.place_near(near, offset, text), lines.place(offset, text), "{offset} near {near}");
            }
        }
    }
}
