//! Conversion between byte offsets and lines.

use std::ops::Range;
use tile_syntax::line_breaks;

/// The line starts of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    starts: Vec<u32>,
    /// The number of characters that start before each [`STEP`]th byte; empty if the text is ASCII.
    characters: Vec<u32>,
}

/// The distance in bytes between precomputed character counts. They bound the time to find a column in a long line.
const STEP: usize = 4096;

/// A position in a text, counted from 1; columns count Unicode characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line number.
    pub row: u32,
    /// The column number.
    pub column: u32,
}

impl Lines {
    /// Finds the lines of a text.
    pub fn new(text: &str) -> Lines {
        let bytes = text.as_bytes();
        let mut starts = Vec::with_capacity(bytes.len() / 40 + 1);
        starts.push(0);
        starts.extend(line_breaks(bytes).map(|at| at as u32 + 1));
        Lines { starts, characters: if text.is_ascii() { Vec::new() } else { counts(bytes) } }
    }

    /// Returns the line of an offset, counted from 0.
    pub fn line(&self, offset: u32) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    /// The number of lines; an empty text has one.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// Returns the byte range of a line, including its line break.
    pub fn range(&self, line: usize, text: &str) -> Range<usize> {
        let end = self.starts.get(line + 1).map_or(text.len(), |&next| next as usize);
        self.starts[line] as usize..end
    }

    /// Returns the position of an offset.
    pub fn place(&self, offset: u32, text: &str) -> Position {
        self.place_in(self.line(offset), offset, text)
    }

    /// Like [`Lines::place`], but faster if the offset is in the line `near` or one of the next few.
    pub fn place_near(&self, near: u32, offset: u32, text: &str) -> Position {
        let from = near as usize;
        let next = |line: usize| self.starts.get(line + 1).is_none_or(|&next| offset < next);
        let is_before = self.starts.get(from).is_none_or(|&start| offset < start);
        match (from..from + 8).find(|&line| next(line)) {
            Some(line) if !is_before => self.place_in(line, offset, text),
            _ => self.place(offset, text),
        }
    }

    /// The number of characters that start before a byte.
    fn before(&self, at: usize, text: &str) -> usize {
        let step = at / STEP;
        self.characters[step] as usize + characters(&text.as_bytes()[step * STEP..at])
    }

    fn place_in(&self, line: usize, offset: u32, text: &str) -> Position {
        let start = self.starts[line] as usize;
        let end = (offset as usize).clamp(start, text.len());
        let column = match self.characters.is_empty() {
            true => end - start,
            false if end - start < STEP => characters(&text.as_bytes()[start..end]),
            false => self.before(end, text) - self.before(start, text),
        };
        Position { row: line as u32 + 1, column: column as u32 + 1 }
    }
}

/// Counts the characters that start in these bytes.
fn characters(bytes: &[u8]) -> usize {
    // Sums of bytes, which the compiler vectorizes.
    let few = |bytes: &[u8]| bytes.iter().map(|byte| u8::from(byte & 0xc0 != 0x80)).sum::<u8>();
    bytes.chunks(usize::from(u8::MAX)).map(|bytes| usize::from(few(bytes))).sum()
}

fn counts(bytes: &[u8]) -> Vec<u32> {
    let mut counts = vec![0];
    for step in bytes.chunks(STEP) {
        counts.push(counts[counts.len() - 1] + characters(step) as u32);
    }
    counts
}

/// The maximum indentation in bytes of an item with comments above it. Without a limit, a file consisting of one long
/// line would be searched again for each of its items.
const MAX_INDENT: usize = 512;

/// Returns the range of the comment lines directly above the line of an item that starts at `start`.
pub fn comment_lines_above(text: &str, start: usize) -> Range<usize> {
    let line_start = |at: usize| text.as_bytes()[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let near = start.saturating_sub(MAX_INDENT);
    let newline = text.as_bytes()[near..start].iter().rposition(|&byte| byte == b'\n');
    let end = match newline {
        Some(newline) => near + newline + 1,
        None if near == 0 => 0,
        None => return start..start,
    };
    let mut first = end;
    while first > 0 {
        let above = line_start(first - 1);
        if !text.as_bytes()[above..first].trim_ascii_start().starts_with(b"//") {
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
    fn columns_of_long_lines_count_characters() {
        for line in ["aüb€😀", "a", "ü"] {
            let text = format!("é\n{}\nü", line.repeat(2 * STEP));
            let lines = Lines::new(&text);
            let places = text.char_indices().step_by(997).chain([(text.len(), ' ')]);
            for (at, _) in places {
                let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
                assert_eq!(lines.place(at as u32, &text).column as usize, text[start..at].chars().count() + 1);
            }
        }
    }

    #[test]
    fn a_nearby_line_does_not_change_the_result() {
        let text = "a\n\nüb\n\n\n\n\n\n\n\n\n\nc";
        let lines = Lines::new(text);
        for offset in (0..=text.len() as u32).filter(|&offset| text.is_char_boundary(offset as usize)) {
            for near in 0..20 {
                assert_eq!(lines.place_near(near, offset, text), lines.place(offset, text), "{offset} near {near}");
            }
        }
    }
}
