//! Reading and checking programs.

use std::sync::Arc;
use tile_analysis::batch::{self, Keep};
use tile_analysis::context::Options;
use tile_analysis::db::{self, Database, File};
use tile_analysis::debug_info::{DebugInfo, debug_info};
use tile_analysis::diagnostic::{Diagnostic, Severity};
use tile_analysis::ir::Module;
use tile_analysis::program::Program;
use tile_analysis::types::{Type, TypeKind};
use tile_backend::worker::Job;
use tile_launch::find::{self, EntryLaunches};
use tile_syntax::{PieceKind, parse_item, parse_outline, split};

/// The IR of a valid program.
pub struct Lowered {
    /// Its IR.
    pub module: Module,
    /// The source locations of its ops.
    pub debug: DebugInfo,
}

/// Lowers a program; `None` if it has errors.
pub fn lowered(text: &str, options: Options) -> Option<Lowered> {
    let db = Database::default();
    let file = File::new(&db, Arc::from(text), options);
    if errors(&db::diagnostics(&db, file)) > 0 {
        return None;
    }
    Some(Lowered { module: Program::of(&db, file).module(), debug: debug_info(&db, file, "a.tile") })
}

/// The number of errors.
pub fn errors(found: &[Diagnostic]) -> usize {
    found.iter().filter(|found| found.severity == Severity::Error).count()
}

/// Whether a text has syntax errors.
pub fn has_syntax_errors(text: &str) -> bool {
    let pieces = split(text);
    let mut items = pieces.iter().filter(|piece| piece.kind == PieceKind::Item);
    !parse_outline(text, &pieces).errors.is_empty()
        || items.any(|item| !parse_item(&text[item.range.clone()]).errors.is_empty())
}

/// Checks that all ranges of diagnostics lie within the text.
pub fn assert_diagnostics(text: &str, found: &[Diagnostic]) {
    for found in found {
        let labels = found.labels.iter().map(|label| &label.range);
        let edits = found.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| &edit.range);
        for range in std::iter::once(&found.range).chain(labels).chain(edits) {
            let is_inside = text.get(range.start as usize..range.end as usize).is_some();
            assert!(is_inside, "{range:?} of {} bytes: {found:?}", text.len());
        }
    }
}

/// The largest tile of a program that is run, in elements, and the most values.
const MAX_ELEMENTS: i64 = 1 << 12;
const MAX_VALUES: usize = 200;

/// The most bytes of all buffers of a run, and the most tile blocks.
const MAX_BYTES: u64 = 1 << 16;
const MAX_BLOCKS: u64 = 64;

/// The time limit of a run, in milliseconds.
const TIMEOUT: u64 = 200;

fn is_small(ty: Type) -> bool {
    match ty.kind() {
        TypeKind::Tile(tile) => tile.shape.iter().product::<i64>() <= MAX_ELEMENTS,
        _ => true,
    }
}

/// A job for each small launch of a valid program, with its entry.
pub fn jobs(text: &str) -> Vec<(Job, EntryLaunches)> {
    let checked = batch::check(text, Options::default(), |_| Keep::Everything);
    if errors(&checked.diagnostics) > 0 || errors(&find::problems_of(text, &checked)) > 0 {
        return Vec::new();
    }
    let mut jobs = Vec::new();
    for entry in find::of(text, &checked) {
        if entry.has_errors
            || entry.entry.values.len() > MAX_VALUES
            || !entry.entry.values.iter().all(|&ty| is_small(ty))
        {
            continue;
        }
        for launch in &entry.directives.launches {
            let blocks = launch.grid.iter().map(|&extent| u64::from(extent)).product::<u64>();
            let is_complete = entry.directives.errors_in(launch).next().is_none() && launch.files().is_empty();
            if blocks > MAX_BLOCKS
                || !is_complete
                || !tile_launch::bind::misfits(entry.kernels(launch), launch).is_empty()
            {
                continue;
            }
            let job = Job::new(text, &*entry.entry.name, launch.clone());
            jobs.push((Job { timeout_ms: Some(TIMEOUT), max_bytes: MAX_BYTES, ..job }, entry.clone()));
        }
    }
    jobs
}
