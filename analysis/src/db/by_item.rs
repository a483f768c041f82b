//! Data for each item of a file, recomputed after an edit only for the items that the edit changed.

use super::contents::{Layout, Stamp};
use super::item::Item;
use rustc_hash::FxHashMap;

/// A value for each item of a file.
#[derive(Clone, Debug)]
pub struct ByItem<T> {
    kept: Vec<(Item, Stamp, T)>,
}

impl<T> Default for ByItem<T> {
    fn default() -> ByItem<T> {
        ByItem { kept: Vec::new() }
    }
}

impl<T> ByItem<T> {
    /// Updates the values after an edit: computes those of new items and of items whose text has changed. If
    /// `compute` unwinds because of cancellation, nothing changes. Returns the values that were replaced, and those in
    /// their place.
    pub fn update(&mut self, layout: &Layout, mut compute: impl FnMut(usize, Item) -> T) -> (Vec<T>, Vec<&T>) {
        let now = || layout.items.iter().zip(&layout.stamps).map(|((_, item), stamp)| (*item, *stamp));
        let known = |from: usize| self.kept[from..].iter().map(|(item, stamp, _)| (*item, *stamp));
        let start = known(0).zip(now()).take_while(|(known, now)| known == now).count();
        let end = known(start).rev().zip(now().skip(start).rev()).take_while(|(known, now)| known == now).count();
        let (old, new) = (start..self.kept.len() - end, start..layout.items.len() - end);
        let values = new.clone().map(|index| {
            let item = layout.items[index].1;
            (item, layout.stamps[index], compute(index, item))
        });
        let values: Vec<_> = values.collect();
        let replaced = self.kept.splice(old, values).map(|(_, _, value)| value).collect();
        (replaced, self.kept[new].iter().map(|(_, _, value)| value).collect())
    }

    /// Recomputes all values. `of` receives the previous value of an item whose text has not changed.
    pub fn renew(&mut self, layout: &Layout, mut of: impl FnMut(usize, Item, Option<&T>) -> T) {
        let known: FxHashMap<(Item, Stamp), &T> =
            self.kept.iter().map(|(item, stamp, value)| ((*item, *stamp), value)).collect();
        let items = layout.items.iter().zip(&layout.stamps).enumerate();
        let values = items
            .map(|(index, (&(_, item), &stamp))| (item, stamp, of(index, item, known.get(&(item, stamp)).copied())));
        self.kept = values.collect();
    }

    /// The values, in the order of the items, to be changed.
    pub fn values_mut(&mut self) -> impl ExactSizeIterator<Item = &mut T> {
        self.kept.iter_mut().map(|(_, _, value)| value)
    }

    /// The values, in the order of the items.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &T> {
        self.kept.iter().map(|(_, _, value)| value)
    }
}
