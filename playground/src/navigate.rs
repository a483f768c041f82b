//! Definitions and launches.

use crate::document::Document;
use serde::Serialize;
use tile_analysis::ide::{definition as language, type_definition};
use tile_launch::find;

/// The range of the name that is defined at a position's name.
pub(crate) fn definition(document: &Document, at: u32) -> Option<[u32; 2]> {
    let (db, file, offset) = (&document.db, document.file, document.byte(at));
    let found = language::definition(db, file, offset).or_else(|| type_definition::type_definition(db, file, offset));
    found.map(|found| document.offsets.range(&found.name))
}

/// A launch.
#[derive(Serialize, Debug)]
pub(crate) struct Launch {
    /// The entry, without `@`.
    entry: String,
    /// The number of the launch among those of the entry.
    launch: usize,
    /// The entry and the launch in words.
    title: String,
    /// The range of its directives.
    range: [u32; 2],
    /// Whether it is for benchmarks.
    bench: bool,
    /// The files that it reads.
    files: Vec<String>,
}

/// All launches, in source order.
pub(crate) fn launches(document: &Document) -> Vec<Launch> {
    let mut all = Vec::new();
    for found in find::find(&document.db, document.file) {
        for (number, launch) in found.directives.launches.iter().enumerate() {
            let range = launch.range.start as u32..launch.range.end as u32;
            all.push(Launch {
                entry: found.entry.name.to_string(),
                launch: number,
                title: found.title(Some(launch)),
                range: document.offsets.range(&range),
                bench: launch.is_bench,
                files: launch.files().into_iter().map(str::to_string).collect(),
            });
        }
    }
    all
}
