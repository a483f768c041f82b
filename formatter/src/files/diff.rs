//! Differences as `diff -u` prints them.

use similar::{Algorithm, TextDiff};
use std::time::Duration;

/// How long to look for the smallest difference; behind that, a larger one will do.
const PATIENCE: Duration = Duration::from_secs(2);

/// The unified difference between a file and its formatted text.
pub(super) fn unified(name: &str, before: &str, after: &str) -> String {
    TextDiff::configure()
        .algorithm(Algorithm::Myers)
        .timeout(PATIENCE)
        .diff_lines(before, after)
        .unified_diff()
        .context_radius(3)
        .header(name, &format!("{name} (formatted)"))
        .to_string()
}
