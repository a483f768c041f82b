//! One-shot checking of a whole file, for commands that need no incremental database.
//!
//! The results are those of the queries in [`crate::db`], but nothing is cached: an item's tree and IR are dropped
//! before the next item is parsed, which keeps memory use small, and the items of a large file are checked in parallel.

use crate::context::{Context, Options};
use crate::diagnostic::{Diagnostic, MAX_IN_FILE, Severity, TOO_MANY};
use crate::file_allowances;
use crate::lower::{KnownTypes, Lowered, lower_item};
use crate::outline::{self, Outline};
use crate::preview;
use crate::source::Spans;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use tile_syntax::{PieceKind, parse_item, split};

/// The result of checking a file.
#[derive(Debug)]
pub struct Checked {
    /// The outline of the file.
    pub outline: Outline,
    /// All diagnostics, in order of position.
    pub diagnostics: Vec<Diagnostic>,
    /// The byte offset of each item, with its IR if it was kept.
    pub items: Vec<(u32, Option<Lowered>)>,
}

/// Files of at least this many bytes are checked in parallel.
const PARALLEL_FROM: usize = 1 << 17;

/// The number of items of a large file that are checked before their results are merged.
const CHUNK: usize = 1 << 12;

/// How much of an item is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// Only its diagnostics.
    Nothing,
    /// Its IR, with the source ranges that a backend needs: those of its name, its parameters and its ops.
    Program,
    /// Its IR with all source ranges.
    Everything,
}

/// Checks a file. `keep` decides how much to keep of the item at a byte offset.
pub fn check(text: &str, options: Options, keep: impl Fn(usize) -> Keep + Sync) -> Checked {
    let pieces = split(text);
    let outline = outline::outline(text, &pieces, options);
    let items = pieces.iter().filter(|piece| piece.kind == PieceKind::Item).map(|piece| piece.range.clone());
    let items: Vec<Range<usize>> = items.collect();
    let check = |known: &mut KnownTypes, item: Range<usize>| {
        let keep = keep(item.start);
        Item::check(text, item, &outline.context, known, keep)
    };
    let mut results = Results::of(&outline);
    if text.len() < PARALLEL_FROM {
        let mut known = KnownTypes::default();
        items.into_iter().for_each(|item| results.add(check(&mut known, item)));
    } else {
        for items in items.chunks(CHUNK) {
            if results.is_full() {
                break;
            }
            let checked: Vec<Item> =
                items.par_iter().map_init(KnownTypes::default, |known, item| check(known, item.clone())).collect();
            checked.into_iter().for_each(|item| results.add(item));
        }
    }
    results.finish(text, outline)
}

/// The result of checking an item.
struct Item {
    start: u32,
    name: Box<str>,
    name_range: Range<u32>,
    diagnostics: Vec<Diagnostic>,
    calls: preview::Calls,
    lowered: Option<Lowered>,
}

impl Item {
    fn check(text: &str, item: Range<usize>, context: &Context, known: &mut KnownTypes, keep: Keep) -> Item {
        let start = item.start as u32;
        let text = &text[item];
        let mut lowered = lower_item(text, &parse_item(text), context, known);
        let calls = preview::calls_of(&lowered, &context.options);
        let name = &lowered.spans.name;
        Item {
            calls,
            start,
            name: lowered.body.name.clone(),
            name_range: name.start + start..name.end + start,
            diagnostics: std::mem::take(&mut lowered.diagnostics),
            lowered: match keep {
                Keep::Nothing => None,
                Keep::Program => Some(program_of(lowered)),
                Keep::Everything => Some(lowered),
            },
        }
    }
}

/// Drops the source ranges that only an editor needs, which take as much memory as everything else. The definitions
/// of the parameters, which come first, are kept.
fn program_of(mut lowered: Lowered) -> Lowered {
    if let Some(spans) = Arc::get_mut(&mut lowered.spans) {
        let Spans { name, op_names, mut definitions, .. } = std::mem::take(spans);
        definitions.truncate(lowered.body.params.len());
        definitions.shrink_to_fit();
        *spans = Spans { name, op_names, definitions, ..Spans::default() };
    }
    lowered
}

/// The results so far, in order of position.
struct Results {
    diagnostics: Vec<Diagnostic>,
    names: Vec<(Box<str>, Range<u32>)>,
    calls: Vec<(Box<str>, Range<u32>)>,
    kept: Vec<(u32, Option<Lowered>)>,
}

impl Results {
    fn of(outline: &Outline) -> Results {
        Results { diagnostics: outline.diagnostics.clone(), names: Vec::new(), calls: Vec::new(), kept: Vec::new() }
    }

    /// Whether the limit on diagnostics has been reached.
    fn is_full(&self) -> bool {
        self.diagnostics.len() >= MAX_IN_FILE
    }

    fn add(&mut self, item: Item) {
        let room = MAX_IN_FILE.saturating_sub(self.diagnostics.len());
        let diagnostics = item.diagnostics.into_iter().take(room);
        self.diagnostics.extend(diagnostics.map(|diagnostic| diagnostic.shifted(item.start)));
        self.kept.push((item.start, item.lowered));
        let calls = item.calls.into_iter();
        self.calls.extend(calls.map(|(name, range)| (name, range.start + item.start..range.end + item.start)));
        if !item.name.is_empty() {
            self.names.push((item.name, item.name_range));
        }
    }

    fn finish(self, text: &str, outline: Outline) -> Checked {
        let is_full = self.is_full();
        let Results { mut diagnostics, names, calls, kept } = self;
        let places = names.iter().map(|(name, range)| (&**name, range.clone()));
        diagnostics.extend(outline.bad_calls(places, calls.iter().map(|(name, range)| (&**name, range.clone()))));
        diagnostics.extend(outline.duplicates(names.iter().map(|(name, range)| (&**name, range.clone()))));
        diagnostics.extend(outline.early_uses(text));
        let about_comments =
            file_allowances::apply(text, &outline, &mut diagnostics, |found| (found.page, found.range.start));
        diagnostics.extend(about_comments);
        if diagnostics.iter().any(|found| found.severity == Severity::Error) {
            diagnostics.iter_mut().for_each(Diagnostic::drop_whole_file_fixes);
        }
        Diagnostic::sort(&mut diagnostics);
        if is_full {
            diagnostics.last_mut().into_iter().for_each(|last| last.notes.push(TOO_MANY.to_string()));
        }
        Checked { outline, diagnostics, items: kept }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::{self, Database, File};

    /// The first entry has no name, and the implementation names no function.
    #[test]
    fn missing_names_are_not_the_same_name() {
        let text = "cuda_tile.module @m {\n  entry () {\n  }\n  preview$extern_impl @f implements N(%x: tile<f32>) {\n  }\n}\n";
        let options = Options { preview: true, ..Options::default() };
        let found = check(text, options, |_| Keep::Nothing).diagnostics;
        assert!(!found.iter().any(|found| found.message.contains("`@`")), "{found:?}");
        let db = Database::default();
        assert_eq!(db::diagnostics(&db, File::new(&db, text.into(), options)), found);
    }
}
