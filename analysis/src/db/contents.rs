//! The text of a file, split into items.

use super::database::Database;
use super::item::Item;
use crate::context::Options;
use crate::outline::{self, Outline};
use salsa::Setter;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tile_syntax::{Cut, Recut};

/// A number that identifies one state of a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stamp(u64);

impl Stamp {
    fn new() -> Stamp {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Stamp(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The positions of the items of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Each item with its start, in bytes.
    pub items: Vec<(u32, Item)>,
    /// A stamp for each item, which changes with its text.
    pub stamps: Vec<Stamp>,
    /// A stamp that changes with the text between the items.
    pub outline: Stamp,
}

impl Layout {
    /// The last item that starts at or before an offset, and its start.
    pub fn before(&self, offset: u32) -> Option<(u32, Item)> {
        let count = self.items.partition_point(|(start, _)| *start <= offset);
        Some(self.items[count.checked_sub(1)?])
    }

    /// The item that contains an offset or ends there, and its start.
    pub fn at(&self, db: &dyn salsa::Database, offset: u32) -> Option<(u32, Item)> {
        self.before(offset).filter(|(start, item)| offset - start <= item.text(db).len() as u32)
    }
}

/// The data of a file, except for the results of lowering its items. Editing an item only shifts the positions
/// after it.
#[derive(Clone, Debug)]
#[allow(unreachable_pub, reason = "the field of a public input must be public")]
pub struct Contents {
    pub(super) text: Arc<String>,
    pub(super) options: Options,
    cut: Cut,
    pub(super) layout: Layout,
    pub(super) outline: Arc<Outline>,
    /// Items that are no longer part of the file. The database cannot delete them, so they are reused.
    spare: Vec<Item>,
}

impl Default for Contents {
    fn default() -> Contents {
        let outline = Arc::new(outline::outline("", &[], Options::default()));
        let layout = Layout { items: Vec::new(), stamps: Vec::new(), outline: Stamp::new() };
        let text = Arc::default();
        Contents { text, options: Options::default(), cut: Cut::default(), layout, outline, spare: Vec::new() }
    }
}

impl Contents {
    /// Splits a text into items and reads its outline.
    pub(super) fn new(db: &dyn salsa::Database, text: String, options: Options) -> Contents {
        let cut = Cut::new(&text);
        let items = cut.items().map(|item| (item.start as u32, Item::new(db, Arc::from(&text[item]))));
        let items: Vec<(u32, Item)> = items.collect();
        let stamps = items.iter().map(|_| Stamp::new()).collect();
        let outline = Arc::new(outline::outline(&text, &cut.pieces(), options));
        let layout = Layout { items, stamps, outline: Stamp::new() };
        Contents { text: Arc::new(text), options, cut, layout, outline, spare: Vec::new() }
    }

    /// Contents without text, with the same options. All items are spare.
    pub(super) fn emptied(&self) -> Contents {
        let items = self.layout.items.iter().map(|(_, item)| *item);
        let spare = items.chain(self.spare.iter().copied()).collect();
        let mut emptied = Contents { options: self.options, spare, ..Contents::default() };
        emptied.read_outline();
        emptied
    }

    /// Items that are no longer part of the file.
    pub(super) fn spare(&self) -> &[Item] {
        &self.spare
    }

    /// Replaces the bytes of a range. Returns which items were split again.
    pub(super) fn edit(&mut self, db: &mut Database, replaced: Range<usize>, content: &str) -> Recut {
        Arc::make_mut(&mut self.text).replace_range(replaced.clone(), content);
        let recut = self.cut.edit(&self.text, replaced.clone(), content.len());
        self.replace_items(db, &recut);
        match recut.inside {
            Some(_) => {
                let by = content.len() as i64 - replaced.len() as i64;
                Arc::make_mut(&mut self.outline).shift(replaced.start as u32, by as i32);
            }
            None => self.read_outline(),
        }
        recut
    }

    pub(super) fn read_outline(&mut self) {
        self.outline = Arc::new(outline::outline(&self.text, &self.cut.pieces(), self.options));
        self.layout.outline = Stamp::new();
    }

    /// Updates the items after an edit. An item whose text is unchanged keeps its identity.
    fn replace_items(&mut self, db: &mut Database, recut: &Recut) {
        let now: Vec<Range<usize>> = recut.now.clone().map(|index| self.cut.item(index)).collect();
        let old: Vec<(Item, Stamp)> =
            recut.before.clone().map(|index| (self.layout.items[index].1, self.layout.stamps[index])).collect();
        let is_same =
            |((item, _), range): &(&(Item, Stamp), &Range<usize>)| **item.text(db) == self.text[(*range).clone()];
        let start = old.iter().zip(&now).take_while(is_same).count();
        let end = old[start..].iter().rev().zip(now[start..].iter().rev()).take_while(is_same).count();
        let (old_end, now_end) = (old.len() - end, now.len() - end);

        let mut items = old[..start].to_vec();
        let mut reusable = old[start..old_end].iter().map(|(item, _)| *item).chain(std::mem::take(&mut self.spare));
        for range in &now[start..now_end] {
            let text = Arc::from(&self.text[range.clone()]);
            let item = match reusable.next() {
                Some(item) => (item.set_text(db).to(text), item).1,
                None => Item::new(db, text),
            };
            items.push((item, Stamp::new()));
        }
        self.spare = reusable.collect();
        items.extend(&old[old_end..]);
        for item in &self.spare {
            if !item.text(db).is_empty() {
                item.set_text(db).to(Arc::from(""));
            }
        }

        self.layout.stamps.splice(recut.before.clone(), items.iter().map(|(_, stamp)| *stamp));
        self.layout.items.splice(recut.before.clone(), items.into_iter().map(|(item, _)| (0, item)));
        let moved = self.layout.items[recut.now.start..].iter_mut().zip(self.cut.items().skip(recut.now.start));
        moved.for_each(|((start, _), range)| *start = range.start as u32);
    }
}
