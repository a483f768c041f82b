//! Hints about the accesses of entries, from their launches.

use std::sync::Arc;
use tile_analysis::context::{Context, Options};
use tile_analysis::db::{self, ByItem, File, Queries, Stamp};
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::lines::comment_lines_above;
use tile_dataflow::lints::of_entry;
use tile_dataflow::names::SourceNames;
use tile_dataflow::volume::EVERY_EDIT;
use tile_launch::Launch;
use tile_launch::find::{self, EntryLaunches};

/// The hints about the accesses of an entry without errors, in source order. `text` is the text of the file, which is
/// checked with these options. Launches that expect an error or have one say nothing about other callers and are not
/// considered, and an access is only counted in a launch if that takes at most `limit` steps.
pub fn of_accesses(text: &str, found: &EntryLaunches, options: &Options, limit: u64) -> Vec<Diagnostic> {
    if found.has_errors {
        return Vec::new();
    }
    let directives = &found.directives;
    let is_usual = |launch: &Launch| !launch.expects_error() && directives.errors_in(launch).next().is_none();
    let named = directives.launches.iter().zip(found.named_launches());
    let launches: Vec<_> = named.filter(|(launch, _)| is_usual(launch)).map(|(_, named)| named).collect();
    let names = SourceNames { body: &found.entry, spans: &found.spans, text: &text[found.start as usize..] };
    let hints = of_entry(names, &launches, options.version, limit).into_iter();
    let is_allowed = |hint: &Diagnostic| found.allowances.iter().any(|allowed| allowed.covers(hint));
    hints.filter(|hint| !is_allowed(hint)).map(|hint| hint.shifted(found.start)).collect()
}

/// The hints of the last check of a file. An edit re-checks only what it touches.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    seen: Option<(Arc<Context>, Stamp)>,
    items: ByItem<ItemHints>,
}

/// The hints about an item with the launches above it.
#[derive(Clone, Debug)]
struct ItemHints {
    /// The comments above the item.
    above: Box<str>,
    /// Their ranges are relative to the start of the item.
    hints: Box<[Diagnostic]>,
}

impl Findings {
    /// The hints about the accesses of the entries of the current file, in source order.
    pub fn of(&mut self, db: &Queries, file: File) -> Vec<Diagnostic> {
        let (layout, context) = (db::layout(db, file), db::context(db, file));
        let seen = self.seen.as_ref().filter(|(seen, _)| Arc::ptr_eq(seen, context)).map(|(_, outline)| *outline);
        if seen == Some(layout.outline) {
            self.items.update(layout, |index, _| ItemHints::of(db, file, layout.items[index].0, None));
        } else {
            let known = |known: Option<&ItemHints>| known.filter(|_| seen.is_some()).cloned();
            self.items.renew(layout, |index, _, kept| ItemHints::of(db, file, layout.items[index].0, known(kept)));
        }
        self.seen = Some((context.clone(), layout.outline));
        let all = layout.items.iter().zip(self.items.values());
        all.flat_map(|((start, _), found)| found.hints.iter().map(|hint| hint.clone().shifted(*start))).collect()
    }
}

impl ItemHints {
    /// The hints about the item at `start`. `known` are those of the same item below other comments.
    fn of(db: &Queries, file: File, start: u32, known: Option<ItemHints>) -> ItemHints {
        let text = file.text(db);
        let above = &text[comment_lines_above(text, start as usize)];
        if let Some(known) = known.filter(|known| *known.above == *above) {
            return known;
        }
        let hints = find::at(db, file, start)
            .map_or_else(Vec::new, |entry| of_accesses(text, &entry, &file.options(db), EVERY_EDIT));
        ItemHints { above: above.into(), hints: hints.into_iter().map(|hint| hint.within(start)).collect() }
    }
}
