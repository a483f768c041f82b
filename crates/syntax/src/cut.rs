//! The positions of the items of a file, updated incrementally: an edit re-splits only the text around it.

use crate::split::{ItemSpan, Splitter};
use std::ops::Range;

/// The number of items before the first touched one that are split again, because the end of an item depends on the
/// text up to the first words of the next item.
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
    /// The kind of this piece.
    pub kind: PieceKind,
    /// Its range, in bytes.
    pub range: Range<usize>,
}

/// Splits a file into pieces.
pub fn split(text: &str) -> Vec<Piece> {
    Cut::new(text).pieces()
}

/// The positions of the items of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cut {
    items: Vec<ItemSpan>,
    length: usize,
}

/// How an edit changed the items.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recut {
    /// The items that were split again, numbered as before the edit.
    pub before: Range<usize>,
    /// The items that replace them, numbered as after the edit.
    pub now: Range<usize>,
    /// The item that contains the edit, if the edit changed nothing else: neither the item's first words nor its start
    /// or end. All other items have at most moved.
    pub inside: Option<usize>,
}

impl Cut {
    /// Splits a text.
    pub fn new(text: &str) -> Cut {
        Cut { items: Splitter::resume(text, 0, 0).collect(), length: text.len() }
    }

    /// The range of each item, in bytes.
    pub fn items(&self) -> impl ExactSizeIterator<Item = Range<usize>> + DoubleEndedIterator + '_ {
        self.items.iter().map(|item| item.range.clone())
    }

    /// The range of an item, in bytes.
    pub fn item(&self, index: usize) -> Range<usize> {
        self.items[index].range.clone()
    }

    /// The pieces of the text: the items and the outline between them.
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

    /// Updates the items after an edit that replaced the bytes `replaced` by `inserted` bytes and produced `text`.
    pub fn edit(&mut self, text: &str, replaced: Range<usize>, inserted: usize) -> Recut {
        let edited = replaced.start + inserted;
        let moved = |place: usize| if place <= replaced.start { place } else { place - replaced.end + edited };
        let first = self.items.partition_point(|item| item.range.end < replaced.start).saturating_sub(BEFORE);
        let (from, open) = if first == 0 { (0, 0) } else { (self.items[first].range.start, self.items[first].open) };
        let (mut last, mut fresh, mut meets) = (first, Vec::new(), false);
        for found in Splitter::resume(text, from, open) {
            let start = found.range.start;
            // The end of an item can depend on its indentation, so an edit of that affects it.
            let is_below = text.get(edited..start).is_some_and(|between| between.contains('\n'));
            if is_below {
                // Nothing has changed from the first item on that is at the same place as before.
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

    /// The item that contains an edit, if only the text of that item has changed.
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

/// The start of an item up to its parameters: its keyword and name.
pub(crate) fn first_words(item: &str) -> &str {
    &item[..item.find(['(', '{', '\n']).unwrap_or(item.len())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

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

    /// After each of a series of random edits, the updated items equal those of splitting the new text.
    #[test]
    fn incremental_edits_agree_with_splitting_the_whole_text() {
        for seed in 0..400 {
            let (mut text, mut random) = (TEXT.repeat(1 + seed % 3), Rng::with_seed(seed as u64));
            let mut cut = Cut::new(&text);
            for _ in 0..60 {
                let start = random.usize(..text.len() + 1);
                let long = if random.usize(..8) == 0 { 60 } else { 4 };
                let end = (start + random.usize(..long)).min(text.len());
                let typed = TYPED[random.usize(..TYPED.len())];
                let before = (text.clone(), cut.clone());
                text.replace_range(start..end, typed);
                let recut = cut.edit(&text, start..end, typed.len());
                assert_eq!(
                    cut,
                    Cut::new(&text),
                    "replacing {start}..{end} by {typed:?} in\n{}\ngave {recut:?}",
                    before.0
                );
                check_inside(&before, (&text, &cut), &recut);
                if text.len() > 4000 || text.is_empty() {
                    text = TEXT.to_string();
                    cut = Cut::new(&text);
                }
            }
        }
    }

    /// The dictionary of a parameter ends where an item starts, so that the end of an item does not depend on later
    /// ones.
    #[test]
    fn an_edit_far_below_an_unclosed_dictionary_does_not_affect_it() {
        let item = "entry @b() {\n}\n";
        let mut text = format!("entry @a(%x: tile<i32> {{\n  , 3\n{}}}\n", item.repeat(6));
        let mut cut = Cut::new(&text);
        let brace = text.len() - 2;
        text.replace_range(brace..brace + 1, "");
        cut.edit(&text, brace..brace + 1, 0);
        assert_eq!(cut, Cut::new(&text));
    }

    /// Checks that nothing else has changed if an edit is inside an item.
    fn check_inside(before: &(String, Cut), now: (&str, &Cut), recut: &Recut) {
        let Some(inside) = recut.inside else { return };
        let pieces = |text: &str, cut: &Cut| -> Vec<String> {
            let mut pieces: Vec<String> = cut.pieces().into_iter().map(|piece| text[piece.range].to_string()).collect();
            let at = cut.pieces().iter().position(|piece| piece.range == cut.item(inside));
            pieces.remove(at.expect("every item is a piece"));
            pieces
        };
        assert_eq!(pieces(&before.0, &before.1), pieces(now.0, now.1));
    }

    #[test]
    fn an_edit_in_an_item_splits_few_others() {
        let item = "  entry @a() {\n    return\n  }\n";
        let mut text = format!("cuda_tile.module @m {{\n{}}}\n", item.repeat(100));
        let mut cut = Cut::new(&text);
        let at = text.match_indices("return").nth(50).expect("there are 100 returns").0;
        text.insert(at, 'x');
        let recut = cut.edit(&text, at..at, 1);
        assert_eq!((recut.inside, recut.before.len(), recut.now.len()), (Some(50), 3, 3));
    }
}
