//! The remarks of NVIDIA's compiler about a document. Those of an entry are kept until its text changes.

use std::sync::Arc;
use tile_analysis::db::{self, ByItem, Database, File};
use tile_analysis::diagnostic::{Diagnostic, Located};

/// The remarks of the last compilation.
#[derive(Debug, Default)]
pub(crate) struct Remarks {
    /// Ranges are relative to the start of the item.
    items: ByItem<Box<[Arc<Diagnostic>]>>,
}

impl Remarks {
    /// Replaces the remarks.
    pub(crate) fn set(&mut self, db: &Database, file: File, found: &[Diagnostic]) {
        let layout = db::layout(db, file);
        // A remark without a location is at the module, and belongs to the first item.
        let item_of = |remark: &Diagnostic| {
            layout.items.partition_point(|(start, _)| *start <= remark.range.start).saturating_sub(1)
        };
        self.items = ByItem::default();
        self.items.update(layout, |index, _| {
            let own = found.iter().filter(|remark| item_of(remark) == index);
            own.map(|remark| Arc::new(remark.clone().within(layout.items[index].0))).collect()
        });
    }

    /// The remarks about the items that have not changed.
    pub(crate) fn of(&mut self, db: &Database, file: File) -> Vec<Located> {
        let layout = db::layout(db, file);
        self.items.update(layout, |_, _| Box::default());
        let items = layout.items.iter().map(|(start, _)| *start).zip(self.items.values());
        items
            .flat_map(|(start, remarks)| remarks.iter().map(move |remark| Located::new(remark.clone(), start)))
            .collect()
    }
}
