//! Hints about the accesses of entries, from their launches.

use tile_analysis::diagnostic::Diagnostic;
use tile_dataflow::lints::of_entry;
use tile_dataflow::names::SourceNames;
use tile_dialect::Version;
use tile_launch::Launch;
use tile_launch::find::EntryLaunches;

/// The hints about the accesses of an entry, in source order. `text` is the text of the file, which is checked for a
/// version. Launches that expect an error or have one say nothing about other callers and are not considered.
pub fn of_accesses(text: &str, found: &EntryLaunches, version: Version) -> Vec<Diagnostic> {
    let directives = &found.directives;
    let is_usual = |launch: &Launch| !launch.expects_error() && directives.errors_in(launch).next().is_none();
    let named = directives.launches.iter().zip(found.named_launches());
    let launches: Vec<_> = named.filter(|(launch, _)| is_usual(launch)).map(|(_, named)| named).collect();
    let names = SourceNames { body: &found.entry, spans: &found.spans, text: &text[found.start as usize..] };
    of_entry(names, &launches, version).into_iter().map(|hint| hint.shifted(found.start)).collect()
}
