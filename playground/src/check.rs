//! Diagnostics, their fixes, and refactorings.

use crate::document::Document;
use crate::offsets::Offsets;
use serde::Serialize;
use tile_analysis::diagnostic::{self, Applicability, Fix, Severity, Tag};
use tile_analysis::fixes;
use tile_analysis::ide::{actions, capitalized};
use tile_launch::{find, skeleton};

/// A diagnostic.
#[derive(Serialize, Debug)]
pub(crate) struct Diagnostic {
    range: [u32; 2],
    severity: &'static str,
    code: &'static str,
    message: String,
    /// Further lines: the label of the range, and notes.
    notes: Vec<String>,
    related: Vec<Related>,
    fixes: Vec<Change>,
    /// Whether the text is unnecessary, so that editors fade it.
    unnecessary: bool,
}

/// A related range.
#[derive(Serialize, Debug)]
struct Related {
    range: [u32; 2],
    message: String,
}

/// A fix or a refactoring.
#[derive(Serialize, Debug)]
pub(crate) struct Change {
    title: String,
    edits: Vec<Edit>,
}

/// A replacement of text.
#[derive(Serialize, Debug)]
pub(crate) struct Edit {
    from: u32,
    to: u32,
    insert: String,
}

/// The diagnostics that need no run.
pub(crate) fn diagnostics(document: &mut Document) -> Vec<Diagnostic> {
    let found = document.shown();
    let offsets = &document.offsets;
    found.into_iter().map(|found| converted(found, offsets)).collect()
}

/// The edits of all safe fixes, including fixes that become possible after others.
pub(crate) fn fix_all(document: &mut Document) -> Vec<Edit> {
    let found = document.diagnostics(&mut |found| !found.fixes.is_empty() || found.severity != Severity::Hint);
    let options = document.file.options(&document.db);
    let check = |text: &str| find::check(text, options);
    let fixed = fixes::fix_all(document.text(), &found, Applicability::Safe, check);
    fixed.map_or_else(Vec::new, |fixed| edits(fixed.edits, &document.offsets))
}

/// The refactorings for a range.
pub(crate) fn refactorings(document: &Document, range: [u32; 2]) -> Vec<Change> {
    let (db, file, range) = (&document.db, document.file, document.bytes(range));
    let launch = skeleton::skeleton(db, file, range.start).into_iter().map(|fix| (fix.title, fix.edits));
    let others = actions::actions(db, file, range).into_iter().map(|action| (action.title, action.edits));
    others.chain(launch).map(|(title, made)| change(title, made, &document.offsets)).collect()
}

fn converted(found: diagnostic::Diagnostic, offsets: &Offsets) -> Diagnostic {
    let labels = found.labels.into_iter().filter(|label| !label.message.is_empty());
    let related = labels.map(|label| Related { range: offsets.range(&label.range), message: label.message });
    let notes = std::iter::once(found.label).chain(found.notes).filter(|line| !line.is_empty());
    let fixes = found.fixes.into_iter().map(|Fix { title, edits, .. }| change(title, edits, offsets));
    Diagnostic {
        range: offsets.range(&found.range),
        severity: found.severity.name(),
        code: found.page.code,
        message: found.message,
        notes: notes.collect(),
        related: related.collect(),
        fixes: fixes.collect(),
        unnecessary: found.tag == Some(Tag::Unnecessary),
    }
}

fn change(title: String, made: Vec<diagnostic::Edit>, offsets: &Offsets) -> Change {
    Change { title: capitalized(&title), edits: edits(made, offsets) }
}

/// Edits in ascending order.
fn edits(mut made: Vec<diagnostic::Edit>, offsets: &Offsets) -> Vec<Edit> {
    diagnostic::Edit::sort(&mut made);
    let one = |edit: diagnostic::Edit| {
        let [from, to] = offsets.range(&edit.range);
        Edit { from, to, insert: edit.content }
    };
    made.into_iter().map(one).collect()
}
