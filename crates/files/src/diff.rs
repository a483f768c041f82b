//! Unified diffs.

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// The time limit for finding the smallest diff; after that, any diff is good enough.
const TIMEOUT: Duration = Duration::from_secs(2);

/// The colors of diff lines, by prefix.
const COLORS: [(&str, &str); 5] =
    [("+++", "\x1b[1m"), ("---", "\x1b[1m"), ("@@", "\x1b[36m"), ("+", "\x1b[32m"), ("-", "\x1b[31m")];

/// The number of context lines around changes.
const CONTEXT: usize = 3;

/// A line of a diff: its sign, and the text with its line ending.
pub type DiffLine<'t> = (char, &'t str);

/// Returns the unified diff between a file and its new content. `what` labels the new content, such as `(formatted)`.
pub fn unified(name: &str, label: &str, before: &str, after: &str) -> String {
    let lines = lines(before, after);
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_hunks(name, label, &lines, &mut text);
    text
}

/// Returns the lines of both texts, with the signs ` `, `-` and `+`. A carriage return alone does not end a line, as in
/// other programs.
pub fn lines<'t>(before: &'t str, after: &'t str) -> Vec<DiffLine<'t>> {
    let [old, new] = [before, after].map(|text| text.split_inclusive('\n').collect::<Vec<&str>>());
    let steps = capture_diff_slices_deadline(Algorithm::Myers, &old, &new, Some(Instant::now() + TIMEOUT));
    let (mut old, mut new, mut lines) = (old.into_iter(), new.into_iter(), Vec::new());
    for step in steps {
        // Use only the lengths of the steps: the library sometimes reports wrong positions.
        let (removed, added) = match step {
            DiffOp::Equal { len, .. } => {
                lines.extend(old.by_ref().zip(new.by_ref()).take(len).map(|(line, _)| (' ', line)));
                continue;
            }
            DiffOp::Delete { old_len, .. } => (old_len, 0),
            DiffOp::Insert { new_len, .. } => (0, new_len),
            DiffOp::Replace { old_len, new_len, .. } => (old_len, new_len),
        };
        lines.extend(old.by_ref().take(removed).map(|line| ('-', line)));
        lines.extend(new.by_ref().take(added).map(|line| ('+', line)));
    }
    lines
}

fn write_hunks(name: &str, label: &str, lines: &[DiffLine], text: &mut String) -> std::fmt::Result {
    let (mut at, mut places) = (0, [0, 0]);
    while let Some(first) = (at..lines.len()).find(|&line| lines[line].0 != ' ') {
        if text.is_empty() {
            write!(text, "--- {name}\n+++ {name} {label}\n")?;
        }
        let start = first.saturating_sub(CONTEXT).max(at);
        let mut end = first;
        while let Some(next) = (end..lines.len().min(end + 2 * CONTEXT + 1)).find(|&line| lines[line].0 != ' ') {
            end = next + 1;
        }
        end = lines.len().min(end + CONTEXT);
        let before = count(&lines[at..start]);
        let here = count(&lines[start..end]);
        let [old, new] = [0, 1].map(|side| range(places[side] + before[side], here[side]));
        writeln!(text, "@@ -{old} +{new} @@")?;
        for (sign, line) in &lines[start..end] {
            let is_cut = !line.ends_with('\n');
            write!(text, "{sign}{line}{}", if is_cut { "\n\\ No newline at end of file\n" } else { "" })?;
        }
        places = [0, 1].map(|side| places[side] + before[side] + here[side]);
        at = end;
    }
    Ok(())
}

/// Counts the lines of the old and of the new text.
fn count(lines: &[DiffLine]) -> [usize; 2] {
    ['+', '-'].map(|other| lines.iter().filter(|line| line.0 != other).count())
}

/// Formats the range of `length` lines after the first `before`.
fn range(before: usize, length: usize) -> String {
    match length {
        0 => format!("{before},0"),
        1 => format!("{}", before + 1),
        _ => format!("{},{length}", before + 1),
    }
}

/// Adds terminal colors to a diff.
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
    fn hunks_have_positions() {
        let numbers = |from: usize, to: usize| (from..=to).map(|number| format!("{number}\n")).collect::<String>();
        let before = numbers(1, 30);
        let after = before.replace("5\n6\n", "5\nx\n6\n").replace("14\n", "").replace("29\n30\n", "y\nz");
        let expected = "--- a\n+++ a (new)\n\
             @@ -3,6 +3,7 @@\n 3\n 4\n 5\n+x\n 6\n 7\n 8\n\
             @@ -11,7 +12,6 @@\n 11\n 12\n 13\n-14\n 15\n 16\n 17\n\
             @@ -26,5 +26,5 @@\n 26\n 27\n 28\n-29\n-30\n+y\n+z\n\\ No newline at end of file\n";
        assert_eq!(unified("a", "(new)", &before, &after), expected);
        assert_eq!(unified("a", "(new)", "", "x\n"), "--- a\n+++ a (new)\n@@ -0,0 +1 @@\n+x\n");
        assert_eq!(unified("a", "(new)", "x\n", "x\n"), "");
    }

    /// The library reports one line too few for this diff.
    #[test]
    fn hunks_have_correct_lengths() {
        let before = "\nmodule\n  // c\n  %0\n  }\n}\n\n";
        let after = "\nmodule\n  // c\n  %1\n  }\n\n\n";
        let difference = unified("a", "(new)", before, after);
        assert!(difference.contains("@@ -1,7 +1,7 @@\n"), "{difference}");
    }

    #[test]
    fn only_line_feeds_end_lines() {
        let difference = unified("a", "(new)", "x\r\ny\rz\nw", "x\r\ny\rz\nv\n");
        let expected = "--- a\n+++ a (new)\n@@ -1,3 +1,3 @@\n x\r\n y\rz\n-w\n\\ No newline at end of file\n+v\n";
        assert_eq!(difference, expected);
    }

    #[test]
    fn removed_and_added_lines_have_colors() {
        let difference = unified("a", "(new)", "x\ny\n", "x\nz\n");
        assert_eq!(difference, "--- a\n+++ a (new)\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n");
        assert!(colored(&difference).ends_with("@@\x1b[0m\n x\n\x1b[31m-y\x1b[0m\n\x1b[32m+z\x1b[0m\n"));
    }
}
