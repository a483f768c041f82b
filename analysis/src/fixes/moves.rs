//! Where edits move the rest of a text.

use crate::diagnostic::Edit;

/// Where edits, which must not overlap, move the rest of a text.
pub(super) struct Moves {
    /// The edits' ranges, and by how many bytes the text up to each has grown, in order.
    edits: Vec<(u32, u32, i64)>,
}

impl Moves {
    pub(super) fn of(edits: &[Edit]) -> Moves {
        let mut sorted: Vec<&Edit> = edits.iter().collect();
        sorted.sort_by_key(|edit| (edit.range.end, edit.range.start));
        let mut grown = 0;
        let moved = sorted.into_iter().map(|edit| {
            grown += edit.content.len() as i64 - edit.range.len() as i64;
            (edit.range.start, edit.range.end, grown)
        });
        Moves { edits: moved.collect() }
    }

    /// The new offset of an offset: that of the new content if it is inside an edit.
    pub(super) fn after(&self, offset: u32) -> u32 {
        let next = self.edits.partition_point(|(_, end, _)| *end <= offset);
        let grown = next.checked_sub(1).map_or(0, |last| self.edits[last].2);
        let kept = self.edits.get(next).map_or(offset, |(start, ..)| offset.min(*start));
        (i64::from(kept) + grown) as u32
    }

    /// An edit of the old text as an edit of the new one. It must not touch the other edits.
    pub(super) fn moved(&self, edit: &Edit) -> Edit {
        Edit { range: self.after(edit.range.start)..self.after(edit.range.end), ..edit.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: u32, end: u32, content: &str) -> Edit {
        Edit { range: start..end, content: content.to_string() }
    }

    #[test]
    fn offsets_move_with_the_text() {
        let moves = Moves::of(&[edit(10, 14, "x"), edit(2, 2, "abc")]);
        let all = [(0, 0), (2, 5), (9, 12), (10, 13), (12, 13), (14, 14), (20, 20)];
        for (old, new) in all {
            assert_eq!(moves.after(old), new, "{old}");
        }
        assert_eq!(moves.moved(&edit(4, 6, "y")).range, 7..9);
    }
}
