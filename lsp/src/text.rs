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
        let offset = (offset as usize).min(self.rope.len_bytes());
        self.position_in_chunk(offset).unwrap_or_else(|| self.position_in_rope(offset))
    }

    /// The position of an offset, if its line begins in the same chunk of the rope. This saves further lookups in the
    /// rope.
    fn position_in_chunk(&self, offset: usize) -> Option<Position> {
        let (chunk, start, _, first_line) = self.rope.chunk_at_byte(offset);
        let at = offset - start;
        let line_break = memchr::memrchr2(b'\n', b'\r', &chunk.as_bytes()[..at])?;
        // Between the two bytes of a line break.
        if chunk.as_bytes()[line_break] == b'\r'
            && chunk.as_bytes().get(line_break + 1).is_none_or(|&next| next == b'\n')
        {
            return None;
        }
        let before = &chunk.as_bytes()[..at];
        // Several times as fast as the other one, which knows all line breaks.
        let line = match memchr::memchr(b'\r', before) {
            None => memchr::memchr_iter(b'\n', before).count(),
            Some(_) => str_utils::byte_to_line_idx(chunk, at),
        };
        let column = self.columns(chunk.get(line_break + 1..at)?);
        Some(Position::new((first_line + line) as u32, column))
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

    fn position_in_rope(&self, offset: usize) -> Position {
        let line = self.rope.byte_to_line(offset);
        let column = match self.encoding {
            Encoding::Utf8 => offset - self.rope.line_to_byte(line),
            Encoding::Utf16 => {
                let start = self.rope.char_to_utf16_cu(self.rope.line_to_char(line));
                self.rope.char_to_utf16_cu(self.rope.byte_to_char(offset)) - start
            }
            Encoding::Utf32 => self.rope.byte_to_char(offset) - self.rope.line_to_char(line),
        };
        Position::new(line as u32, column as u32)
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

    #[test]
    fn positions_in_a_chunk_agree_with_those_in_the_rope() {
        let line = ["a\r\n", "ä𝄞 x\n", "\r", "\n\n", "// long long long long long long long\r\n"];
        let text: String = (0..2000).map(|number| line[number * number % 7 % line.len()]).collect();
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            let text = Text::new(&text, encoding);
            let inside = (0..=text.rope.len_bytes()).filter_map(|at| Some((at, text.position_in_chunk(at)?)));
            let mut count = 0;
            for (at, position) in inside {
                count += 1;
                assert_eq!(position, text.position_in_rope(at), "{encoding:?} {at}");
            }
            assert!(count > text.rope.len_bytes() / 2);
        }
    }

    #[test]
    fn ranges_have_the_positions_of_their_ends() {
        let text: String =
            (0..400).map(|number| ["ä𝄞 x\r\n", "long line\n", "\r", "b"][number * number % 7 % 4]).collect();
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            let of = Text::new(&text, encoding);
            let starts = (0..=text.len()).filter(|&at| text.is_char_boundary(at));
            for (start, length) in starts.flat_map(|start| (0..9).map(move |length| (start, length))) {
                let end = text.floor_char_boundary(start + length).max(start);
                let range = of.range(&(start as u32..end as u32));
                assert_eq!(range.start, of.position_in_rope(start), "{encoding:?} {start}");
                assert_eq!(range.end, of.position_in_rope(end), "{encoding:?} {start}..{end}");
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
