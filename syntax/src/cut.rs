//! The positions of a file's items, updated incrementally: an edit re-cuts only the text around it.

use crate::split::{ItemSpan, Splitter};
use std::ops::Range;

/// How many items before the first touched one are cut again. The end of an item depends on the text up to the first
/// words of the next one.
const BEFORE: usize = 2;

/// The kind of a piece of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceKind {
    /// Module headers, globals, aliases, closing braces: the outline of the file.
    Outline,
    /// One entry.
    Item,
}

/// A piece of a file. The pieces of a file follow one another without gaps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Its kind.
    pub kind: PieceKind,
    /// Its byte range.
    pub range: Range<usize>,
}

/// Cuts a file into pieces.
pub fn split(text: &str) -> Vec<Piece> {
    Cut::new(text).pieces()
}

/// The positions of the items of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cut {
    items: Vec<ItemSpan>,
    length: usize,
}

/// The effect of an edit on the items.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recut {
    /// The items that were cut again, by their numbers before the edit.
    pub before: Range<usize>,
    /// The items that replace them.
    pub now: Range<usize>,
    /// The item that contains the edit, if everything else has at most moved: neither its header nor its boundaries
    /// changed.
    pub inside: Option<usize>,
}

impl Cut {
    /// Cuts a whole text.
    pub fn new(text: &str) -> Cut {
        Cut { items: Splitter::resume(text, 0, 0).collect(), length: text.len() }
    }

    /// The byte range of each item.
    pub fn items(&self) -> impl ExactSizeIterator<Item = Range<usize>> + DoubleEndedIterator + '_ {
        self.items.iter().map(|item| item.range.clone())
    }

    /// The byte range of an item.
    pub fn item(&self, index: usize) -> Range<usize> {
        self.items[index].range.clone()
    }

    /// The pieces of the text: the items and the text between them.
    pub fn pieces(&self) -> Vec<Piece> {
        let mut pieces = Vec::with_capacity(2 * self.items.len() + 1);
        let mut push = |kind, range: Range<usize>| {
            if !range.is_empty() {
                pieces.push(Piece { kind, range });
            }
        };
        let mut outline = 0;
        for ItemSpan { range, .. } in &self.items {
            push(PieceKind::Outline, outline..range.start);
            push(PieceKind::Item, range.clone());
            outline = range.end;
        }
        push(PieceKind::Outline, outline..self.length);
        pieces
    }

    /// Applies an edit: a byte range was replaced by `inserted` bytes, which produced `text`.
    pub fn edit(&mut self, text: &str, replaced: Range<usize>, inserted: usize) -> Recut {
        let edited = replaced.start + inserted;
        let moved = |place: usize| if place <= replaced.start { place } else { place - replaced.end + edited };
        let first = self.items.partition_point(|item| item.range.end < replaced.start).saturating_sub(BEFORE);
        let (from, open) = if first == 0 { (0, 0) } else { (self.items[first].range.start, self.items[first].open) };
        let (mut last, mut fresh, mut meets) = (first, Vec::new(), false);
        for found in Splitter::resume(text, from, open) {
            let start = found.range.start;
            if start >= edited {
                // From an unchanged item start on, the cut stays the same.
                let is_before = |old: &&ItemSpan| old.range.start < replaced.end || moved(old.range.start) < start;
                last += self.items[last..].iter().take_while(is_before).count();
                let old = self.items.get(last);
                meets = old.is_some_and(|old| moved(old.range.start) == start && old.open == found.open);
                if meets {
                    break;
                }
            }
            fresh.push(found);
        }
        if !meets {
            last = self.items.len();
        }
        let before = first..last;
        let inside = self.inside(text, &before, &fresh, &replaced, moved);
        for item in &mut self.items[last..] {
            item.range = moved(item.range.start)..moved(item.range.end);
        }
        self.length = text.len();
        let now = first..first + fresh.len();
        self.items.splice(before.clone(), fresh);
        Recut { before, now, inside }
    }

    /// The item that contains the edit, if all items are the same as before except for the text of that one.
    fn inside(
        &self,
        text: &str,
        before: &Range<usize>,
        fresh: &[ItemSpan],
        replaced: &Range<usize>,
        moved: impl Fn(usize) -> usize,
    ) -> Option<usize> {
        let old = &self.items[before.clone()];
        let holds = |item: &ItemSpan| item.range.start < replaced.start && replaced.end < item.range.end;
        let index = old.iter().position(holds)?;
        let is_same = |(old, new): (&ItemSpan, &ItemSpan)| {
            (moved(old.range.start)..moved(old.range.end), old.open) == (new.range.clone(), new.open)
        };
        let are_same = old.len() == fresh.len() && old.iter().zip(fresh).all(is_same);
        let start = old[index].range.start;
        (are_same && start + first_words(&text[start..]).len() < replaced.start).then_some(before.start + index)
    }
}

/// The header of an item before its parameters: its kind and its name.
pub(crate) fn first_words(item: &str) -> &str {
    &item[..item.find(['(', '{', '\n']).unwrap_or(item.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Deterministic pseudo-random numbers.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, limit: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % limit
        }
    }

    const TEXT: &str = "// a\n!t = tile<i32>\ncuda_tile.module @m {\n  global @g <i32: 1> : tile<1xi32>\n  // one\n  \
                        entry @a(%x: !t) {\n    if %c {\n    }\n    return\n  }\n\n  entry @b() { loop { } } entry @c() {}\n  \
                        //@ launch\n  \"cuda_tile.entry\"() <{sym_name = \"d\"}> ({\n  }) : () -> ()\n  entry @e() {\n  } loc(#l)\n}\n\
                        #l = loc(unknown)\n";

    const TYPED: [&str; 27] = [
        "",
        "",
        "",
        "{",
        "}",
        "\n",
        "\n  }\n",
        "entry",
        "entry\n",
        "entry // (c)\n @z",
        "\n  @w(",
        "entry @x() {\n",
        "\"",
        "//",
        "(",
        ")",
        " ",
        "<",
        ">",
        "@y(",
        ":",
        "=",
        "global ",
        "#",
        "cuda_tile.module @n {\n",
        "}\n}\n",
        "loc(",
    ];

    /// After each of a series of random edits, the updated cut equals that of the whole text.
    #[test]
    fn an_edited_text_is_cut_as_if_it_had_always_been_that() {
        for seed in 0..400 {
            let (mut text, mut numbers) = (TEXT.repeat(1 + seed % 3), Numbers(seed as u64));
            let mut cut = Cut::new(&text);
            for _ in 0..60 {
                let start = numbers.below(text.len() + 1);
                let long = if numbers.below(8) == 0 { 60 } else { 4 };
                let end = (start + numbers.below(long)).min(text.len());
                let typed = TYPED[numbers.below(TYPED.len())];
                let before = (text.clone(), cut.clone());
                text.replace_range(start..end, typed);
                let recut = cut.edit(&text, start..end, typed.len());
                assert_eq!(cut, Cut::new(&text), "{start}..{end} by {typed:?} in\n{}\ngave {recut:?}", before.0);
                check_inside(&before, (&text, &cut), &recut);
                if text.len() > 4000 || text.is_empty() {
                    text = TEXT.to_string();
                    cut = Cut::new(&text);
                }
            }
        }
    }

    /// If an edit is inside one item, nothing else changes.
    fn check_inside(before: &(String, Cut), now: (&str, &Cut), recut: &Recut) {
        let Some(inside) = recut.inside else { return };
        let pieces = |text: &str, cut: &Cut| -> Vec<String> {
            let mut pieces: Vec<String> = cut.pieces().into_iter().map(|piece| text[piece.range].to_string()).collect();
            let at = cut.pieces().iter().position(|piece| piece.range == cut.item(inside));
            pieces.remove(at.expect("the item is a piece"));
            pieces
        };
        assert_eq!(pieces(&before.0, &before.1), pieces(now.0, now.1));
    }

    #[test]
    fn an_edit_in_an_item_looks_at_few_others() {
        let item = "  entry @a() {\n    return\n  }\n";
        let mut text = format!("cuda_tile.module @m {{\n{}}}\n", item.repeat(100));
        let mut cut = Cut::new(&text);
        let at = text.match_indices("return").nth(50).expect("the body has a `return`").0;
        text.insert(at, 'x');
        let recut = cut.edit(&text, at..at, 1);
        assert_eq!((recut.inside, recut.before.len(), recut.now.len()), (Some(50), 3, 3));
    }
}
