//! Differences as `diff -u` prints them.

use similar::{Algorithm, TextDiff};
use std::time::Duration;

/// How long to look for the smallest difference; behind that, a larger one will do.
const PATIENCE: Duration = Duration::from_secs(2);

/// What colours a line of a difference, by how it starts.
const COLORS: [(&str, &str); 5] =
    [("+++", "\x1b[1m"), ("---", "\x1b[1m"), ("@@", "\x1b[36m"), ("+", "\x1b[32m"), ("-", "\x1b[31m")];

/// The unified difference between a file and what it would be, of which `what` says why: `(formatted)`.
pub fn unified(name: &str, what: &str, before: &str, after: &str) -> String {
    // Lines as other programs count them: a carriage return alone ends none.
    let [before, after] = [before, after].map(|text| text.split_inclusive('\n').collect::<Vec<&str>>());
    TextDiff::configure()
        .algorithm(Algorithm::Myers)
        .timeout(PATIENCE)
        .newline_terminated(true)
        .diff_slices(&before, &after)
        .unified_diff()
        .context_radius(3)
        .header(name, &format!("{name} {what}"))
        .to_string()
}

/// A difference with the colours that terminals show.
pub fn colored(difference: &str) -> String {
    let line = |line: &str| match COLORS.iter().find(|(start, _)| line.starts_with(start)) {
        Some((_, color)) => format!("{color}{}\x1b[0m\n", line.trim_end_matches('\n')),
        None => line.to_string(),
    };
    difference.split_inclusive('\n').map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_line_feeds_alone() {
        let difference = unified("a", "(new)", "x\r\ny\rz\nw", "x\r\ny\rz\nv\n");
        let expected = "--- a\n+++ a (new)\n@@ -1,3 +1,3 @@\n x\r\n y\rz\n-w\n\\ No newline at end of file\n+v\n";
        assert_eq!(difference, expected);
    }

    #[test]
    fn lines_have_the_color_of_what_happens_to_them() {
        let difference = unified("a", "(new)", "x\ny\n", "x\nz\n");
        assert_eq!(difference, "--- a\n+++ a (new)\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n");
        assert!(colored(&difference).ends_with("@@\x1b[0m\n x\n\x1b[31m-y\x1b[0m\n\x1b[32m+z\x1b[0m\n"));
    }
}
