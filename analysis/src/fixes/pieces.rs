//! A text after edits, stored as pieces of the original and of inserted text.

use crate::diagnostic::Edit;
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// Bytes of the original.
    Kept(Range<usize>),
    New(String),
}

/// The pieces of a text, in order.
#[derive(Clone, Debug)]
pub(super) struct Pieces(Vec<Piece>);

impl Pieces {
    /// Starts with an unedited original of `length` bytes.
    pub(super) fn new(length: usize) -> Pieces {
        Pieces(vec![Piece::Kept(0..length)])
    }

    /// Applies edits of the current text. They must be in order and not overlap.
    pub(super) fn apply(&mut self, edits: &[Edit]) {
        let mut out = Vec::with_capacity(self.0.len() + 2 * edits.len());
        let mut source = Cursor { pieces: &self.0, number: 0, offset: 0, at: 0 };
        for edit in edits {
            source.take(edit.range.start as usize, Some(&mut out));
            source.take(edit.range.end as usize, None);
            out.push(Piece::New(edit.content.clone()));
        }
        source.take(usize::MAX, Some(&mut out));
        self.0 = out;
    }

    /// Assembles the text.
    pub(super) fn text(&self, original: &str) -> String {
        let parts = self.0.iter().map(|piece| match piece {
            Piece::Kept(range) => &original[range.clone()],
            Piece::New(text) => text.as_str(),
        });
        parts.collect()
    }

    /// Returns the edits that turn the original into this text. An edit that would not change anything is omitted.
    pub(super) fn edits(&self, original: &str) -> Vec<Edit> {
        let (mut edits, mut at, mut new) = (Vec::new(), 0, String::new());
        let end = Piece::Kept(original.len()..original.len());
        for piece in self.0.iter().chain([&end]) {
            match piece {
                Piece::New(text) => new.push_str(text),
                Piece::Kept(kept) => {
                    if original[at..kept.start] != new {
                        edits.push(Edit { range: at as u32..kept.start as u32, content: std::mem::take(&mut new) });
                    }
                    new.clear();
                    at = kept.end;
                }
            }
        }
        edits
    }
}

/// A position in a list of pieces; it only moves forward.
struct Cursor<'p> {
    pieces: &'p [Piece],
    number: usize,
    /// The offset in the current piece.
    offset: usize,
    /// The offset in the text.
    at: usize,
}

impl Cursor<'_> {
    /// Advances to offset `to` of the text and appends the pieces up to there to `out`, if any.
    fn take(&mut self, to: usize, mut out: Option<&mut Vec<Piece>>) {
        while self.at < to
            && let Some(piece) = self.pieces.get(self.number)
        {
            let length = match piece {
                Piece::Kept(range) => range.len(),
                Piece::New(text) => text.len(),
            };
            let taken = self.offset..length.min(self.offset + (to - self.at));
            if let Some(out) = &mut out
                && !taken.is_empty()
            {
                out.push(match piece {
                    Piece::Kept(range) => Piece::Kept(range.start + taken.start..range.start + taken.end),
                    Piece::New(text) => Piece::New(text[taken.clone()].to_string()),
                });
            }
            self.at += taken.len();
            self.offset = taken.end;
            if self.offset == length {
                (self.number, self.offset) = (self.number + 1, 0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(range: Range<u32>, content: &str) -> Edit {
        Edit { range, content: content.to_string() }
    }

    #[test]
    fn edits_of_edited_text_are_edits_of_the_original() {
        let mut pieces = Pieces::new(10);
        pieces.apply(&[edit(2..4, "ab"), edit(6..6, "cd")]);
        assert_eq!(pieces.text("0123456789"), "01ab45cd6789");
        pieces.apply(&[edit(3..7, "xyz"), edit(12..12, "!")]);
        assert_eq!(pieces.text("0123456789"), "01axyzd6789!");
        assert_eq!(pieces.edits("0123456789"), [edit(2..6, "axyzd"), edit(10..10, "!")]);
    }

    #[test]
    fn unchanged_text_needs_no_edit() {
        let mut pieces = Pieces::new(3);
        pieces.apply(&[edit(1..2, "b")]);
        assert_eq!(pieces.edits("abc"), []);
        pieces.apply(&[edit(0..3, "")]);
        assert_eq!((pieces.text("abc").as_str(), pieces.edits("abc").len()), ("", 1));
    }
}
