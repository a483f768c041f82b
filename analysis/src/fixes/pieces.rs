//! A text after edits and edits of that, as pieces of the original and of new text.

use crate::diagnostic::Edit;
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// Bytes of the original.
    Kept(Range<usize>),
    New(String),
}

/// The pieces of a text, in its order.
#[derive(Clone, Debug)]
pub(super) struct Pieces(Vec<Piece>);

impl Pieces {
    /// An original of `length` bytes.
    pub(super) fn new(length: usize) -> Pieces {
        Pieces(vec![Piece::Kept(0..length)])
    }

    /// Applies edits, which are in the order of the text as it is now and do not overlap.
    pub(super) fn apply(&mut self, edits: &[Edit]) {
        let mut out = Vec::with_capacity(self.0.len() + 2 * edits.len());
        let mut source = Cut { pieces: &self.0, number: 0, offset: 0, at: 0 };
        for edit in edits {
            source.take(edit.range.start as usize, Some(&mut out));
            source.take(edit.range.end as usize, None);
            out.push(Piece::New(edit.content.clone()));
        }
        source.take(usize::MAX, Some(&mut out));
        self.0 = out;
    }

    /// The text.
    pub(super) fn text(&self, original: &str) -> String {
        let parts = self.0.iter().map(|piece| match piece {
            Piece::Kept(range) => &original[range.clone()],
            Piece::New(text) => text.as_str(),
        });
        parts.collect()
    }

    /// The edits that make this text of the original. What would replace something by itself is none.
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

/// A place in a list of pieces, which only moves on.
struct Cut<'p> {
    pieces: &'p [Piece],
    number: usize,
    /// The offset in the piece.
    offset: usize,
    /// The offset in the text.
    at: usize,
}

impl Cut<'_> {
    /// Moves on to a place of the text. What lies between goes to `out`.
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
    fn what_stays_the_same_is_no_edit() {
        let mut pieces = Pieces::new(3);
        pieces.apply(&[edit(1..2, "b")]);
        assert_eq!(pieces.edits("abc"), []);
        pieces.apply(&[edit(0..3, "")]);
        assert_eq!((pieces.text("abc").as_str(), pieces.edits("abc").len()), ("", 1));
    }
}
