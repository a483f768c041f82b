//! The diagnostics of a file, updated incrementally.

use super::by_item::ByItem;
use super::contents::Stamp;
use super::file::File;
use super::item::Item;
use super::queries::{context, file_outline, layout, lowered};
use crate::context::Context;
use crate::diagnostic::{Diagnostic, Located, Severity};
use crate::file_allowances;
use crate::preview;
use crate::selection::{Candidate, Wanted};
use std::ops::Range;
use std::sync::Arc;

/// The diagnostics of a file at the last update. An update after an edit checks only what the edit changed.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    seen: Option<(Arc<Context>, Stamp)>,
    items: ByItem<ItemDiagnostics>,
    /// Whether no two symbols share a name.
    are_unique: bool,
}

/// The diagnostics of an item. Ranges are relative to its start.
#[derive(Clone, Debug)]
struct ItemDiagnostics {
    name: Box<str>,
    name_range: Range<u32>,
    diagnostics: Box<[Arc<Diagnostic>]>,
    calls: preview::Calls,
}

/// All diagnostics of a file, in source order.
pub fn diagnostics(db: &dyn salsa::Database, file: File) -> Vec<Diagnostic> {
    Located::all_in_file(&Findings::default().of(db, file, &mut |_| true))
}

impl Findings {
    /// The diagnostics of the current state of a file that are wanted, in source order.
    pub fn of(&mut self, db: &dyn salsa::Database, file: File, wanted: Wanted<'_>) -> Vec<Located> {
        let layout = layout(db, file);
        let names_changed = self.update(db, file);
        let outline = file_outline(db, file);
        let items = || layout.items.iter().map(|(start, _)| *start).zip(self.items.values());
        let shifted = |start: u32, range: &Range<u32>| range.start + start..range.end + start;
        let calls = items().flat_map(|(start, found)| found.calls.iter().map(move |call| (start, call)));
        let calls = calls.map(|(start, (callee, range))| (&**callee, shifted(start, range)));
        let named = || items().filter(|(_, found)| !found.name.is_empty());
        let symbols = || named().map(|(start, found)| (&*found.name, shifted(start, &found.name_range)));
        let mut of_file = outline.bad_calls(symbols(), calls);
        if names_changed || !self.are_unique {
            let duplicates = outline.duplicates(symbols());
            self.are_unique = duplicates.is_empty();
            of_file.extend(duplicates);
        }
        of_file.extend(outline.early_uses(file.text(db)));

        let of_outline: Vec<Arc<Diagnostic>> = outline.diagnostics.iter().cloned().map(Arc::new).collect();
        let of_file: Vec<Arc<Diagnostic>> = of_file.into_iter().map(Arc::new).collect();
        let of_items = items().flat_map(|(start, found)| found.diagnostics.iter().map(move |found| (start, found)));
        let in_file = |found| (0, found);
        let mut all: Vec<(u32, &Arc<Diagnostic>)> =
            of_outline.iter().map(in_file).chain(of_items).chain(of_file.iter().map(in_file)).collect();
        let about_comments = file_allowances::apply(file.text(db), outline, &mut all, |(start, found)| {
            (found.page, found.range.start + start)
        });
        let about_comments: Vec<Arc<Diagnostic>> = about_comments.into_iter().map(Arc::new).collect();
        all.extend(about_comments.iter().map(in_file));
        all.sort_by_key(|(start, found)| found.range.start + start);
        let has_errors = all.iter().any(|(_, found)| found.severity == Severity::Error);
        let wanted = all.into_iter().filter(|(start, found)| wanted(&Candidate::of(found, *start)));
        let located = wanted.map(|(start, found)| {
            let mut found = found.clone();
            if has_errors && found.has_whole_file_fixes() {
                Arc::make_mut(&mut found).drop_whole_file_fixes();
            }
            Located::new(found, start)
        });
        located.collect()
    }

    /// Updates the diagnostics of changed items. Returns whether a name may have changed.
    fn update(&mut self, db: &dyn salsa::Database, file: File) -> bool {
        let (layout, context) = (layout(db, file), context(db, file));
        let compute = |item: Item| ItemDiagnostics::of(db, file, item);
        let seen = self.seen.as_ref().map(|(context, outline)| (context, *outline));
        if seen.is_none_or(|(seen, _)| !Arc::ptr_eq(seen, context)) {
            self.items.renew(layout, |_, item, _| compute(item));
            self.seen = Some((context.clone(), layout.outline));
            return true;
        }
        let moved = seen.is_none_or(|(_, outline)| outline != layout.outline);
        let (replaced, new) = self.items.update(layout, |_, item| compute(item));
        let names_changed = !replaced.iter().map(|item| &item.name).eq(new.into_iter().map(|item| &item.name));
        self.seen = Some((context.clone(), layout.outline));
        moved || names_changed
    }
}

impl ItemDiagnostics {
    fn of(db: &dyn salsa::Database, file: File, item: Item) -> ItemDiagnostics {
        let lowered = lowered(db, item, file);
        ItemDiagnostics {
            name: lowered.body.name.clone(),
            name_range: lowered.spans.name.clone(),
            diagnostics: lowered.diagnostics.iter().cloned().map(Arc::new).collect(),
            calls: preview::calls_of(lowered, &context(db, file).options),
        }
    }
}
