//! Checking a file once, as a whole: what a command does that is over when it has told what it found.
//!
//! It finds what the queries of [`crate::db`] find. But it keeps nothing for a next time: an item's tree and IR are
//! gone before the next item is read, so that memory stays small and warm, and the items of a large file are shared
//! out among the cores.

use crate::context::{Context, Options};
use crate::diagnostic::Diagnostic;
use crate::lower::{KnownTypes, Lowered, lower_item};
use crate::outer;
use crate::outline::{self, Outline};
use crate::source::Spans;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use tile_syntax::{PieceKind, parse_item, split};

/// What checking a file gives.
#[derive(Debug)]
pub struct Checked {
    /// The outline of the file.
    pub outline: Outline,
    /// Everything there is to tell about it, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Where each item starts, in bytes, and its meaning where it was to be kept.
    pub items: Vec<(u32, Option<Lowered>)>,
}

/// From how many bytes on a file is worth more than one core.
const SHARED_FROM: usize = 1 << 17;

/// What is kept of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// What is wrong with it.
    Nothing,
    /// Its meaning, and of the places those of its name and its ops: what a backend asks for.
    Program,
    /// Its meaning and all places.
    Everything,
}

/// Checks a file. `keep` says of an item, by where it starts, what of its meaning is wanted.
pub fn check(text: &str, options: Options, keep: impl Fn(usize) -> Keep + Sync) -> Checked {
    let pieces = split(text);
    let outline = outline::outline(text, &pieces, options);
    let items = pieces.iter().filter(|piece| piece.kind == PieceKind::Item).map(|piece| piece.range.clone());
    let items: Vec<Range<usize>> = items.collect();
    let check = |known: &mut KnownTypes, item: Range<usize>| {
        let keep = keep(item.start);
        Item::check(text, item, &outline.context, known, keep)
    };
    let items: Vec<Item> = if text.len() < SHARED_FROM {
        let mut known = KnownTypes::default();
        items.into_iter().map(|item| check(&mut known, item)).collect()
    } else {
        items.into_par_iter().map_init(KnownTypes::default, check).collect()
    };
    gather(text, outline, items)
}

/// What is left of an item when it has been checked.
struct Item {
    start: u32,
    name: Box<str>,
    name_range: Range<u32>,
    diagnostics: Vec<Diagnostic>,
    lowered: Option<Lowered>,
}

impl Item {
    fn check(text: &str, item: Range<usize>, context: &Context, known: &mut KnownTypes, keep: Keep) -> Item {
        let start = item.start as u32;
        let text = &text[item];
        let mut lowered = lower_item(text, &parse_item(text), context, known);
        let name = &lowered.spans.name;
        Item {
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

/// The places that only an editor asks for are as many as the rest together; they go before the next item comes.
fn program_of(mut lowered: Lowered) -> Lowered {
    if let Some(spans) = Arc::get_mut(&mut lowered.spans) {
        let Spans { name, op_names, .. } = std::mem::take(spans);
        *spans = Spans { name, op_names, ..Spans::default() };
    }
    lowered
}

fn gather(text: &str, outline: Outline, items: Vec<Item>) -> Checked {
    let mut diagnostics = outline.diagnostics.clone();
    let duplicates = outline.duplicates(items.iter().map(|item| (&*item.name, item.name_range.clone())));
    let mut kept = Vec::with_capacity(items.len());
    for item in items {
        diagnostics.extend(item.diagnostics.into_iter().map(|diagnostic| diagnostic.shifted(item.start)));
        kept.push((item.start, item.lowered));
    }
    diagnostics.extend(duplicates);
    diagnostics.extend(outline.early_uses(text));
    outer::apply(text, &outline.tree, &mut diagnostics);
    Diagnostic::sort(&mut diagnostics);
    Checked { outline, diagnostics, items: kept }
}
