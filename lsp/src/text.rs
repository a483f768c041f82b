//! Texts as the protocol sees them: lines, and columns in the negotiated encoding.

use ropey::{Rope, RopeSlice, str_utils};
use std::ops::Range;
use tower_lsp::ls_types::{Position, PositionEncodingKind, Range as PositionRange, TextDocumentContentChangeEvent};

/// The unit of columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units.
    Utf16,
    /// Code points.
    Utf32,
}

impl Encoding {
    /// The encoding of this name.
    pub(crate) fn from_kind(kind: &PositionEncodingKind) -> Option<Encoding> {
        match kind.as_str() {
            "utf-8" => Some(Encoding::Utf8),
            "utf-16" => Some(Encoding::Utf16),
            "utf-32" => Some(Encoding::Utf32),
            _ => None,
        }
    }

    /// Its name.
    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        }
    }
}

/// A text. Cloning it is cheap.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    /// The text itself.
    pub(crate) rope: Rope,
    /// The unit of columns.
    pub(crate) encoding: Encoding,
}

/// The extent of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Touched {
    /// The bytes that were replaced.
    pub(crate) replaced: Range<usize>,
    /// The affected lines before the change, the last one included.
    pub(crate) before: Range<usize>,
    /// The affected lines after the change, the last one included.
    pub(crate) now: Range<usize>,
}

impl Text {
    /// Creates a text.
    pub(crate) fn new(text: &str, encoding: Encoding) -> Text {
        Text { rope: Rope::from_str(text), encoding }
    }

    /// The offset of a position. As the protocol requires, a column past the end of its line means the end of the line.
    pub(crate) fn offset(&self, position: Position) -> u32 {
        self.rope.char_to_byte(self.char(position)) as u32
    }

    fn char(&self, position: Position) -> usize {
        let line = position.line as usize;
        if line >= self.rope.len_lines() {
            return self.rope.len_chars();
        }
        let content = self.line(line);
        let column = position.character as usize;
        let inside = match self.encoding {
            Encoding::Utf8 => content.byte_to_char(column.min(content.len_bytes())),
            Encoding::Utf16 => content.utf16_cu_to_char(column.min(content.len_utf16_cu())),
            Encoding::Utf32 => column.min(content.len_chars()),
        };
        self.rope.line_to_char(line) + inside
    }

    /// A line without its line break.
    pub(crate) fn line(&self, line: usize) -> RopeSlice<'_> {
        let with_break = self.rope.line(line.min(self.rope.len_lines() - 1));
        let mut end = with_break.len_chars();
        while end > 0 && matches!(with_break.char(end - 1), '\n' | '\r') {
            end -= 1;
        }
        with_break.slice(..end)
    }

    /// The position of an offset.
    pub(crate) fn position(&self, offset: u32) -> Position {
        let (mut chunk, mut start, _, first_line) =
            self.rope.chunk_at_byte((offset as usize).min(self.rope.len_bytes()));
        let mut at = (offset as usize - start).min(chunk.len());
        // The start of a character, and not between the two bytes of a line break.
        while !chunk.is_char_boundary(at) || chunk[..at].ends_with('\r') && chunk[at..].starts_with('\n') {
            at -= 1;
        }
        // Several times as fast as the other one, which knows all line breaks.
        let line = match memchr::memchr(b'\r', &chunk.as_bytes()[..at]) {
            None => memchr::memchr_iter(b'\n', &chunk.as_bytes()[..at]).count(),
            Some(_) => str_utils::byte_to_line_idx(chunk, at),
        };
        let mut column = 0;
        // The line can begin in an earlier chunk.
        loop {
            let line_break = memchr::memrchr2(b'\n', b'\r', &chunk.as_bytes()[..at]);
            column += self.columns(&chunk[line_break.map_or(0, |at| at + 1)..at]);
            if line_break.is_some() || start == 0 {
                return Position::new((first_line + line) as u32, column);
            }
            (chunk, start, ..) = self.rope.chunk_at_byte(start - 1);
            at = chunk.len();
        }
    }

    /// The columns of a text without line breaks.
    fn columns(&self, text: &str) -> u32 {
        let count = match self.encoding {
            Encoding::Utf8 => text.len(),
            _ if text.is_ascii() => text.len(),
            Encoding::Utf16 => text.chars().map(char::len_utf16).sum(),
            Encoding::Utf32 => text.chars().count(),
        };
        count as u32
    }

    /// The positions of a range of bytes.
    pub(crate) fn range(&self, range: &Range<u32>) -> PositionRange {
        let start = self.position(range.start);
        PositionRange::new(start, self.end_in_line(start, range).unwrap_or_else(|| self.position(range.end)))
    }

    /// The position of the end of a range, if it is in the line and the chunk of the start: most ranges are names, and
    /// counting the lines of a chunk again would double the time for publishing diagnostics.
    fn end_in_line(&self, start: Position, range: &Range<u32>) -> Option<Position> {
        let (chunk, first, _, _) = self.rope.get_chunk_at_byte(range.start as usize)?;
        let text = chunk.get(range.start as usize - first..(range.end as usize).checked_sub(first)?)?;
        let is_in_line = memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_none();
        is_in_line.then(|| Position::new(start.line, start.character + self.columns(text)))
    }

    /// The end of a line, before its line break.
    pub(crate) fn line_end(&self, line: usize) -> Position {
        let start = self.rope.line_to_byte(line.min(self.rope.len_lines() - 1));
        self.position((start + self.line(line).len_bytes()) as u32)
    }

    /// Applies a change from the client.
    pub(crate) fn apply(&mut self, change: &TextDocumentContentChangeEvent) -> Touched {
        let lines = self.rope.len_lines();
        let Some(range) = change.range else {
            let replaced = 0..self.rope.len_bytes();
            self.rope = Rope::from_str(&change.text);
            return Touched { replaced, before: 0..lines - 1, now: 0..self.rope.len_lines() - 1 };
        };
        let (start, end) = (self.char(range.start), self.char(range.end));
        let (start, end) = (start.min(end), start.max(end));
        let before = self.rope.char_to_line(start)..self.rope.char_to_line(end);
        let replaced = self.rope.char_to_byte(start)..self.rope.char_to_byte(end);
        self.rope.remove(start..end);
        self.rope.insert(start, &change.text);
        let last = (before.end + self.rope.len_lines()).saturating_sub(lines);
        Touched { replaced, now: before.start..last.max(before.start), before }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: &str = "// ä𝄞x\r\nb\n";

    fn change(range: Option<(u32, u32, u32, u32)>, text: &str) -> TextDocumentContentChangeEvent {
        let range = range.map(|(a, b, c, d)| PositionRange::new(Position::new(a, b), Position::new(c, d)));
        TextDocumentContentChangeEvent { range, range_length: None, text: text.to_string() }
    }

    #[test]
    fn columns_are_in_the_negotiated_encoding() {
        let x = WIDE.find('x').expect("the text contains it") as u32;
        for (encoding, column) in [(Encoding::Utf8, 9), (Encoding::Utf16, 6), (Encoding::Utf32, 5)] {
            let text = Text::new(WIDE, encoding);
            assert_eq!(text.position(x), Position::new(0, column), "{encoding:?}");
            assert_eq!(text.offset(Position::new(0, column)), x, "{encoding:?}");
        }
    }

    /// The offsets of all characters with their positions. No offset is between the bytes of a line break.
    fn positions(text: &str, encoding: Encoding) -> Vec<(u32, Position)> {
        let (mut all, mut position) = (Vec::new(), Position::default());
        for (offset, c) in text.char_indices() {
            let is_first_of_two = text[offset..].starts_with("\r\n");
            if !text[..offset].ends_with('\r') || c != '\n' {
                all.push((offset as u32, position));
            }
            match c {
                '\r' | '\n' if !is_first_of_two => position = Position::new(position.line + 1, 0),
                '\r' => {}
                _ if encoding == Encoding::Utf8 => position.character += c.len_utf8() as u32,
                _ if encoding == Encoding::Utf16 => position.character += c.len_utf16() as u32,
                _ => position.character += 1,
            }
        }
        all.push((text.len() as u32, position));
        all
    }

    #[test]
    fn ranges_have_the_positions_of_their_ends() {
        let long = "ä𝄞 long ".repeat(130);
        let lines = ["ä𝄞 x\r\n", "long line\n", "\r", "b", "\n\n", &long];
        let text: String = (0..24).map(|number| lines[number * number % 11 % lines.len()]).collect();
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            let (of, positions) = (Text::new(&text, encoding), positions(&text, encoding));
            for (first, (start, at_start)) in positions.iter().enumerate() {
                for (end, at_end) in positions[first..].iter().step_by(3).take(3) {
                    let range = PositionRange::new(*at_start, *at_end);
                    assert_eq!(of.range(&(*start..*end)), range, "{encoding:?} {start}..{end}");
                }
            }
        }
    }

    #[test]
    fn positions_outside_the_text_are_clamped() {
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            let text = Text::new(WIDE, encoding);
            assert_eq!(text.offset(Position::new(0, 99)), WIDE.find('\r').expect("the text contains it") as u32);
            assert_eq!(text.offset(Position::new(99, 0)), WIDE.len() as u32);
            assert_eq!(text.position(999), Position::new(2, 0));
        }
        // In the middle of the surrogate pair.
        assert_eq!(Text::new(WIDE, Encoding::Utf16).offset(Position::new(0, 5)), 5);
    }

    #[test]
    fn every_kind_of_line_break_breaks_lines() {
        let text = Text::new("a\rb\r\nc\nd", Encoding::Utf16);
        assert_eq!(text.offset(Position::new(3, 0)), 7);
        assert_eq!(text.line(1).to_string(), "b");
        // Line separators that editors do not break lines at.
        assert_eq!(Text::new("a\u{2028}b\u{c}c", Encoding::Utf16).rope.len_lines(), 1);
    }

    #[test]
    fn changes_report_the_lines_they_touched() {
        let mut text = Text::new("a\nb\nc\n", Encoding::Utf16);
        let touched = text.apply(&change(Some((1, 1, 1, 1)), "\nx\ny"));
        assert_eq!((touched.before, touched.now), (1..1, 1..3));
        assert_eq!(text.rope.to_string(), "a\nb\nx\ny\nc\n");
        let touched = text.apply(&change(Some((0, 1, 2, 0)), ""));
        assert_eq!((touched.before, touched.now), (0..2, 0..0));
        assert_eq!(text.rope.to_string(), "ax\ny\nc\n");
        let touched = text.apply(&change(None, "z"));
        assert_eq!((touched.before, touched.now), (0..3, 0..0));
    }
}
