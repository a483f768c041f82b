//! Programs of the tests.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use tile_analysis::db::{Database, File, layout, lowered};
use tile_analysis::ir::{Body, OpId};
use tile_analysis::source::Spans;
use tile_dataflow::names::SourceNames;

/// An entry of a program.
pub(crate) struct Entry {
    text: String,
    start: usize,
    pub(crate) body: Arc<Body>,
    spans: Arc<Spans>,
}

impl Entry {
    pub(crate) fn names(&self) -> SourceNames<'_> {
        SourceNames { body: &self.body, spans: &self.spans, text: &self.text[self.start..] }
    }

    /// The line of an op in the file, from 1.
    pub(crate) fn line(&self, op: OpId) -> usize {
        let offset = self.start + self.spans.op_names[op.0 as usize].start as usize;
        self.text[..offset].matches('\n').count() + 1
    }
}

/// The entries of a program.
pub(crate) fn entries(text: &str) -> Vec<Entry> {
    let db = Database::default();
    let file = File::new(&db, text.into(), Default::default());
    let items = layout(&db, file).items.iter();
    let lowered = items.map(|&(start, item)| (start, lowered(&db, item, file)));
    lowered
        .filter(|(_, lowered)| !lowered.body.name.is_empty())
        .map(|(start, lowered)| Entry {
            text: text.to_string(),
            start: start as usize,
            body: lowered.body.clone(),
            spans: lowered.spans.clone(),
        })
        .collect()
}

/// The paths of all examples.
pub(crate) fn examples() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder is readable") {
            let path = entry.expect("the folder is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "tile") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The text of an example.
pub(crate) fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    std::fs::read_to_string(path).expect("the example exists")
}
