//! The diagnostics of the launches of a file, updated incrementally.

use super::forward::{ForwardEntry, has_forward};
use super::mistakes::{comments_before, launches_of, mistakes_in, strays};
use super::page::diagnostic;
use std::ops::Range;
use std::sync::Arc;
use tile_analysis::context::Context;
use tile_analysis::db::{self, ByItem, File, Item, Layout, Queries, Stamp};
use tile_analysis::diagnostic::{Diagnostic, Located};
use tile_analysis::lines::comment_lines_above;
use tile_analysis::selection::{Candidate, Wanted};

/// The diagnostics of the last check of the launches of a file. An edit re-checks only what it touches.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    seen: Option<(Arc<Context>, Stamp)>,
    items: ByItem<ItemDiagnostics>,
}

/// The diagnostics of the launches above an item, and of the item.
#[derive(Clone, Debug, Default)]
struct ItemDiagnostics {
    /// The text above the item that was checked; empty if there are no directives.
    above: Box<str>,
    /// Their ranges are relative to the start of that text.
    diagnostics: Box<[Arc<Diagnostic>]>,
    /// Whether they depend on other items: that text begins before the end of another item, which happens if items
    /// share a line; the comments above begin inside of another item, which has no closing brace; the text above the
    /// next item begins before the end of this one; or a `forward` line names another entry.
    depends: bool,
}

impl Findings {
    /// The diagnostics of the launches of the current file that are wanted, in source order.
    pub fn of(&mut self, db: &Queries, file: File, wanted: Wanted<'_>) -> Vec<Located> {
        let (layout, context) = (db::layout(db, file), db::context(db, file));
        let checker = Checker { db, file, layout, text: file.text(db) };
        let sees_same = self.seen.as_ref().is_some_and(|(seen, _)| Arc::ptr_eq(seen, context));
        let depends = self.items.values().any(|found| found.depends);
        if sees_same && !depends && self.seen.as_ref().is_some_and(|(_, outline)| *outline == layout.outline) {
            self.items.update(layout, |index, item| checker.check(index, item, None));
        } else {
            self.items.renew(layout, |index, item, known| checker.check(index, item, known.filter(|_| sees_same)));
        }
        self.seen = Some((context.clone(), layout.outline));
        let after_last = checker.end_before(layout.items.len())..checker.text.len();
        let strays = strays(checker.text, after_last, &[]);
        let strays: Vec<Arc<Diagnostic>> = strays.iter().map(diagnostic).map(Arc::new).collect();
        let of_items = layout.items.iter().zip(self.items.values()).flat_map(|((start, _), found)| {
            let start = start - found.above.len() as u32;
            found.diagnostics.iter().map(move |found| (start, found))
        });
        let mut all: Vec<(u32, &Arc<Diagnostic>)> = of_items.chain(strays.iter().map(|found| (0, found))).collect();
        all.sort_by_key(|(start, found)| found.range.start + start);
        let wanted = all.into_iter().filter(|(start, found)| wanted(&Candidate::of(found, *start)));
        wanted.map(|(start, found)| Located::new(found.clone(), start)).collect()
    }
}

/// The context in which an item is checked.
struct Checker<'a> {
    db: &'a Queries,
    file: File,
    layout: &'a Layout,
    text: &'a str,
}

impl Checker<'_> {
    /// The end of the item before the one at `index`.
    fn end_before(&self, index: usize) -> usize {
        let before = index.checked_sub(1).map(|index| self.layout.items[index]);
        before.map_or(0, |(start, item)| start as usize + item.text(self.db).len())
    }

    fn check(&self, index: usize, item: Item, known: Option<&ItemDiagnostics>) -> ItemDiagnostics {
        const DIRECTIVE: &str = "//@";
        let start = self.layout.items[index].0;
        let end = start as usize + item.text(self.db).len();
        let between = self.end_before(index)..start as usize;
        let block: Range<usize> = comment_lines_above(self.text, start as usize);
        let from = between.start.min(block.start);
        let next = self.layout.items.get(index + 1).map(|(next, _)| comment_lines_above(self.text, *next as usize));
        let next = next.filter(|next| next.start < end);
        let mut depends = block.start < between.start || next.is_some() || has_forward(&self.text[block.clone()]);
        if !self.text[from..end].contains(DIRECTIVE) {
            return ItemDiagnostics { depends, ..ItemDiagnostics::default() };
        }
        depends |= comments_before(self.text, block.start).start < between.start;
        let above = &self.text[from..start as usize];
        if let Some(known) = known.filter(|known| *known.above == *above && !known.depends && !depends) {
            return known.clone();
        }
        let forward = |name: &str| ForwardEntry::of(self.db, self.file, name);
        let launches = launches_of(self.text, start, db::lowered(self.db, item, self.file), &forward);
        let blocks: Vec<Range<usize>> = std::iter::once(block).chain(next).collect();
        let strays = strays(self.text, from..end, &blocks);
        let found = launches.map_or_else(Vec::new, |launches| mistakes_in(self.text, &launches));
        let diagnostics =
            found.into_iter().chain(strays.iter().map(diagnostic)).map(|diagnostic| diagnostic.within(from as u32));
        ItemDiagnostics { above: above.into(), diagnostics: diagnostics.map(Arc::new).collect(), depends }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::{diagnostics_of, needed};
    use tile_analysis::batch;
    use tile_analysis::context::Options;
    use tile_analysis::db::Database;

    /// The first entry extends to the start of the second, directives included.
    #[test]
    fn directives_below_an_unclosed_entry_are_not_stray() {
        let text = "cuda_tile.module @m {\n  entry @a(%c: tile<i1>) {\n    if %c {\n  }\n  //@ launch\n  //@   %n = 1\n  \
                    entry @b(%n: tile<i32>) {\n  }\n}\n";
        let mut db = Database::default();
        let (file, mut findings) = (File::new(&db, text.into(), Options::default()), Findings::default());
        assert_eq!(findings.of(&db, file, &mut |_| true), []);
        let name = text.find("entry @b").expect("the text has the entry");
        file.edit(&mut db, name..name, "\n");
        assert_eq!(findings.of(&db, file, &mut |_| true).len(), 1, "an empty line separates them");
        file.edit(&mut db, name..name + 1, "");
        assert_eq!(findings.of(&db, file, &mut |_| true), []);
    }

    /// The lines below the stray directive belong to it, although it lies inside of the first entry.
    #[test]
    fn a_stray_directive_in_an_unclosed_entry_is_reported_alone() {
        let text = "cuda_tile.module @m {\n  entry @a(%c: tile<i1>) {\n    if %c {\n  }\n  //@ launch\n\n  //@ expect print \"x\"\n  \
                    entry @b() {\n  }\n}\n";
        let mut db = Database::default();
        let (file, mut findings) = (File::new(&db, text.into(), Options::default()), Findings::default());
        let found = findings.of(&db, file, &mut |_| true);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(
            Located::all_in_file(&found),
            diagnostics_of(text, &batch::check(text, Options::default(), needed(text)))
        );
        let stray = text.find("//@ launch").expect("the text has a launch");
        file.edit(&mut db, stray..stray + "//@ launch".len(), "// no");
        assert!(findings.of(&db, file, &mut |_| true)[0].diagnostic.message.contains("does not belong"));
    }

    #[test]
    fn incremental_diagnostics_equal_those_of_a_fresh_check() {
        const TEXT: &str = "cuda_tile.module @m {\n  //@ launch \"a\"\n  //@   %n = 3\n  entry @a(%n: tile<i32>) {\n    //@ stray\n  }\n  \
                            //@ launch\n\n  entry @b() {\n  }\n  //@ launch\n  //@   %q = 1\n  //@ forward @a\n  entry @c() {\n  }\n  //@ stray\n}\n";
        let typed = [
            "%q: tile<i32>",
            "",
            "",
            "\n",
            "//@ launch\n",
            "  //@   %n = 4\n",
            "x",
            "}",
            "{",
            " ",
            "entry @d() {\n",
            "//@ expect print \"x\"\n",
            "\n\n",
            "//@",
        ];
        let mut numbers = 3u64;
        let mut next = |below: usize| {
            numbers = numbers.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (numbers >> 33) as usize % below
        };
        let mut db = Database::default();
        let (file, mut findings) = (File::new(&db, TEXT.into(), Options::default()), Findings::default());
        let mut seen = 0;
        for step in 0..1500 {
            let length = file.text(&db).len();
            let start = next(length + 1);
            let end = (start + next(6)).min(length);
            file.edit(&mut db, start..end, typed[next(typed.len())]);
            if step % 3 > 0 {
                let found = findings.of(&db, file, &mut |_| true);
                seen += found.len();
                assert_eq!(found, Findings::default().of(&db, file, &mut |_| true), "{}", file.text(&db));
                let checked = batch::check(file.text(&db), Options::default(), needed(file.text(&db)));
                assert_eq!(
                    Located::all_in_file(&found),
                    diagnostics_of(file.text(&db), &checked),
                    "{}",
                    file.text(&db)
                );
            }
            if step % 40 == 0 {
                file.write(&mut db, TEXT);
            }
        }
        assert!(seen > 1000, "{seen}");
    }
}
