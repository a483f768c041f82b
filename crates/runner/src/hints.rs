//! Hints about the accesses of entries, from their launches.

use std::ops::Range;
use std::sync::Arc;
use tile_analysis::context::{Context, Options};
use tile_analysis::db::{self, ByItem, File, Queries, Stamp};
use tile_analysis::diagnostic::{Diagnostic, Located};
use tile_analysis::diagnostics::accesses::UNUSED_RESULT;
use tile_analysis::lines::comment_lines_above;
use tile_analysis::lower::remove_allowed;
use tile_analysis::selection::{Candidate, Wanted};
use tile_analysis::unused::{UnusedOp, unused_ops};
use tile_dataflow::lints::{of_entry, unused_result};
use tile_dataflow::names::SourceNames;
use tile_dataflow::volume::EVERY_EDIT;
use tile_launch::Launch;
use tile_launch::find::{self, EntryLaunches};

/// The hints about the accesses and the unused results of an entry without errors, in source order. `text` is the text
/// of the file, which is checked with these options. Launches that expect an error or have one say nothing about other
/// callers and are not considered, and an access is only counted in a launch if that takes at most `limit` steps.
pub fn of_accesses(text: &str, found: &EntryLaunches, options: &Options, limit: u64) -> Vec<Diagnostic> {
    let hints = EntryHints::of(text, found, options, limit);
    let names = SourceNames { body: &found.entry, spans: &found.spans, text: "" };
    let unused = hints.unused.iter().map(|(unused, _)| unused_result(names, *unused));
    let accesses = hints.accesses.into_iter().map(Arc::unwrap_or_clone);
    let mut all: Vec<Diagnostic> = accesses.chain(unused).map(|hint| hint.shifted(found.start)).collect();
    Diagnostic::sort(&mut all);
    all
}

/// The hints about an entry. Ranges are relative to the start of its item.
#[derive(Clone, Debug, Default)]
struct EntryHints {
    accesses: Box<[Arc<Diagnostic>]>,
    /// Diagnostics would take twenty times the memory.
    unused: Box<[(UnusedOp, Range<u32>)]>,
    /// The diagnostics of the first of them, made when they were first wanted: each edit shows the same ones.
    described: Vec<Arc<Diagnostic>>,
}

impl EntryHints {
    fn of(text: &str, found: &EntryLaunches, options: &Options, limit: u64) -> EntryHints {
        if found.has_errors {
            return EntryHints::default();
        }
        let statements = &found.spans.statements;
        let mut accesses = accesses(text, found, options, limit);
        let unused = unused_ops(&found.entry).into_iter();
        let mut unused: Vec<_> = unused.map(|unused| (unused, statements[unused.op.0 as usize].clone())).collect();
        remove_allowed(&found.allowances, &mut accesses, |hint| (hint.page, hint.range.start));
        remove_allowed(&found.allowances, &mut unused, |(_, range)| (&UNUSED_RESULT, range.start));
        EntryHints {
            accesses: accesses.into_iter().map(Arc::new).collect(),
            unused: unused.into(),
            described: Vec::new(),
        }
    }
}

/// The hints about the accesses of an entry, in source order. Ranges are relative to the start of its item.
fn accesses(text: &str, found: &EntryLaunches, options: &Options, limit: u64) -> Vec<Diagnostic> {
    let directives = &found.directives;
    let is_usual = |launch: &Launch| !launch.expects_error() && directives.errors_in(launch).next().is_none();
    let named = directives.launches.iter().zip(found.named_launches());
    let launches: Vec<_> = named.filter(|(launch, _)| is_usual(launch)).map(|(_, named)| named).collect();
    let names = SourceNames { body: &found.entry, spans: &found.spans, text: &text[found.start as usize..] };
    of_entry(names, &launches, options.version, limit)
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
    hints: EntryHints,
}

impl Findings {
    /// The hints about the entries of the current file that are wanted, in source order. The others are not put into
    /// words.
    pub fn of(&mut self, db: &Queries, file: File, wanted: Wanted<'_>) -> Vec<Located> {
        let (layout, context) = (db::layout(db, file), db::context(db, file));
        let seen = self.seen.as_ref().filter(|(seen, _)| Arc::ptr_eq(seen, context)).map(|(_, outline)| *outline);
        if seen == Some(layout.outline) {
            self.items.update(layout, |index, _| ItemHints::of(db, file, layout.items[index].0, None));
        } else {
            let known = |known: Option<&ItemHints>| known.filter(|_| seen.is_some()).cloned();
            self.items.renew(layout, |index, _, kept| ItemHints::of(db, file, layout.items[index].0, known(kept)));
        }
        self.seen = Some((context.clone(), layout.outline));
        let mut all = Vec::new();
        let ends = layout.items.iter().skip(1).map(|(start, _)| *start).chain([u32::MAX]);
        for ((&(start, item), end), found) in layout.items.iter().zip(ends).zip(self.items.values_mut()) {
            let EntryHints { accesses, unused, described } = &mut found.hints;
            let accesses = accesses.iter().filter(|hint| wanted(&Candidate::of(hint, start)));
            all.extend(accesses.map(|hint| Located::new(hint.clone(), start)));
            let Some((_, first)) = unused.first() else { continue };
            let mut wants = |range: Range<u32>, several: Option<usize>| {
                let (page, severity) = (&UNUSED_RESULT, UNUSED_RESULT.severity);
                wanted(&Candidate { page, severity, range, fixes: &[], several })
            };
            if !wants(first.start + start..end, Some(unused.len())) {
                continue;
            }
            for (index, (unused, range)) in unused.iter().enumerate() {
                if !wants(range.start + start..range.end + start, None) {
                    continue;
                }
                let describe = || {
                    let entry = db::lowered(db, item, file);
                    Arc::new(unused_result(SourceNames { body: &entry.body, spans: &entry.spans, text: "" }, *unused))
                };
                let hint = described.get(index).cloned().unwrap_or_else(describe);
                if index == described.len() {
                    described.push(hint.clone());
                }
                all.push(Located::new(hint, start));
            }
        }
        all.sort_by_key(|hint| hint.diagnostic.range.start + hint.start);
        all
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
            .map_or_else(EntryHints::default, |entry| EntryHints::of(text, &entry, &file.options(db), EVERY_EDIT));
        ItemHints { above: above.into(), hints }
    }
}
