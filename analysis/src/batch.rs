//! Checks a file once, as a whole, for commands that exit afterwards.
//!
//! Reports the same diagnostics as the queries of [`crate::db`], but caches nothing: the tree and IR of an item are
//! dropped before the next item is parsed, which keeps memory use small and caches warm, and the items of a large file
//! are distributed over the cores.

use crate::context::{Context, Options};
use crate::diagnostic::{Diagnostic, MAX_IN_FILE, TOO_MANY};
use crate::lower::{KnownTypes, Lowered, lower_item};
use crate::outer;
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
    /// All diagnostics, in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// The start of each item, in bytes, and its IR if it was to be kept.
    pub items: Vec<(u32, Option<Lowered>)>,
}

/// The size in bytes from which a file is checked on several cores.
const SHARED_FROM: usize = 1 << 17;

/// The number of items of a large file that are checked before their results are combined.
const CHUNK: usize = 1 << 12;

/// What to keep of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// Its diagnostics.
    Nothing,
    /// Its IR, and the ranges of its name and its ops: what a backend needs.
    Program,
    /// Its IR and all ranges.
    Everything,
}

/// Checks a file. `keep` decides for the item at an offset what to keep of it.
pub fn check(text: &str, options: Options, keep: impl Fn(usize) -> Keep + Sync) -> Checked {
    let pieces = split(text);
    let outline = outline::outline(text, &pieces, options);
    let items = pieces.iter().filter(|piece| piece.kind == PieceKind::Item).map(|piece| piece.range.clone());
    let items: Vec<Range<usize>> = items.collect();
    let check = |known: &mut KnownTypes, item: Range<usize>| {
        let keep = keep(item.start);
        Item::check(text, item, &outline.context, known, keep)
    };
    let mut gathered = Gathered::of(&outline);
    if text.len() < SHARED_FROM {
        let mut known = KnownTypes::default();
        items.into_iter().for_each(|item| gathered.add(check(&mut known, item)));
    } else {
        for items in items.chunks(CHUNK) {
            if gathered.is_full() {
                break;
            }
            let checked: Vec<Item> =
                items.par_iter().map_init(KnownTypes::default, |known, item| check(known, item.clone())).collect();
            checked.into_iter().for_each(|item| gathered.add(item));
        }
    }
    gathered.finish(text, outline)
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

/// Drops the ranges that only an editor needs, which are about half of all, before the next item. Of the definitions,
/// those of the parameters are kept; they come first.
fn program_of(mut lowered: Lowered) -> Lowered {
    if let Some(spans) = Arc::get_mut(&mut lowered.spans) {
        let Spans { name, op_names, mut definitions, .. } = std::mem::take(spans);
        definitions.truncate(lowered.body.params.len());
        definitions.shrink_to_fit();
        *spans = Spans { name, op_names, definitions, ..Spans::default() };
    }
    lowered
}

/// The diagnostics so far, in source order.
struct Gathered {
    diagnostics: Vec<Diagnostic>,
    names: Vec<(Box<str>, Range<u32>)>,
    calls: Vec<(Box<str>, Range<u32>)>,
    kept: Vec<(u32, Option<Lowered>)>,
}

impl Gathered {
    fn of(outline: &Outline) -> Gathered {
        Gathered { diagnostics: outline.diagnostics.clone(), names: Vec::new(), calls: Vec::new(), kept: Vec::new() }
    }

    /// Whether the limit of diagnostics is reached.
    fn is_full(&self) -> bool {
        self.diagnostics.len() >= MAX_IN_FILE
    }

    fn add(&mut self, item: Item) {
        let room = MAX_IN_FILE.saturating_sub(self.diagnostics.len());
        let diagnostics = item.diagnostics.into_iter().take(room);
        self.diagnostics.extend(diagnostics.map(|diagnostic| diagnostic.shifted(item.start)));
        self.kept.push((item.start, item.lowered));
        let calls = item.calls.into_iter();
        self.calls.extend(calls.map(|(name, place)| (name, place.start + item.start..place.end + item.start)));
        if !item.name.is_empty() {
            self.names.push((item.name, item.name_range));
        }
    }

    fn finish(self, text: &str, outline: Outline) -> Checked {
        let is_full = self.is_full();
        let Gathered { mut diagnostics, names, calls, kept } = self;
        let places = names.iter().map(|(name, range)| (&**name, range.clone()));
        diagnostics.extend(outline.bad_calls(places, calls.iter().map(|(name, range)| (&**name, range.clone()))));
        diagnostics.extend(outline.duplicates(names.iter().map(|(name, range)| (&**name, range.clone()))));
        diagnostics.extend(outline.early_uses(text));
        outer::apply(text, &outline.tree, &mut diagnostics);
        Diagnostic::sort(&mut diagnostics);
        if is_full {
            diagnostics.last_mut().into_iter().for_each(|last| last.notes.push(TOO_MANY.to_string()));
        }
        Checked { outline, diagnostics, items: kept }
    }
}
