//! Why a launch is not run: mistakes in its directives, and errors in its entry.

use crate::bind;
use crate::directive::Launch;
use crate::find::EntryLaunches;
use tile_analysis::db::{self, File, Queries};
use tile_analysis::diagnostic::Diagnostic;

/// Returns the first mistake in a launch, or the first error in its entry; `None` if it can run. `found` are the
/// diagnostics of the file. Errors in other entries do not matter, and neither do features missing on the GPU that the
/// file is checked for: the launch may run on another one.
pub fn refusal(
    db: &Queries,
    file: File,
    found: &[Diagnostic],
    entry: &EntryLaunches,
    launch: &Launch,
) -> Option<String> {
    let mistake = entry.directives.errors_in(launch).next().cloned();
    if let Some(mistake) = mistake.or_else(|| bind::misfits(entry.kernels(launch), launch).into_iter().next()) {
        return Some(mistake.to_string());
    }
    let concerns = |found: &&Diagnostic| {
        let inside = db::layout(db, file).at(db, found.range.start);
        inside.is_none_or(|(_, item)| db::lowered(db, item, file).body.name == entry.entry.name)
    };
    let error = found.iter().filter(|found| found.is_error_everywhere()).find(concerns)?;
    Some(format!("`@{}` has an error: {}", entry.entry.name, error.message))
}
