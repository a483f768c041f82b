//! Reports how the printed text differs.

use super::outcome::Outcome;
use super::quote;

/// The number of equal lines that are shown before and after the different ones.
const CONTEXT_LINES: usize = 2;

/// The maximum number of different lines that are shown of either text.
const MAX_DIFFERENT_LINES: usize = 8;

/// Compares the printed text with the expected one, and shows the different lines like `diff`.
pub(super) fn compared(want: &str, got: &str) -> Outcome {
    if want == got {
        return Outcome::new(true, "the printed text agrees");
    }
    let [expected, found] = [want, got].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let before = expected.iter().zip(&found).take_while(|(want, got)| want == got).count();
    let (expected_rest, found_rest) = (&expected[before..], &found[before..]);
    let after = expected_rest.iter().rev().zip(found_rest.iter().rev()).take_while(|(want, got)| want == got).count();
    let mut lines = vec![format!("the printed text differs in line {}", before + 1)];
    let shown = |line: &&str| format!("              {}", shortened(line));
    lines.extend(expected[before.saturating_sub(CONTEXT_LINES)..before].iter().map(shown));
    push_different(&mut lines, "- expected", &expected_rest[..expected_rest.len() - after]);
    push_different(&mut lines, "+ got", &found_rest[..found_rest.len() - after]);
    lines.extend(expected[expected.len() - after..].iter().take(CONTEXT_LINES).map(shown));
    Outcome::new(false, lines.join("\n"))
}

fn push_different(lines: &mut Vec<String>, sign: &str, different: &[&str]) {
    if different.is_empty() {
        lines.push(format!("  {sign:10}  nothing"));
    }
    let shown = different.iter().take(MAX_DIFFERENT_LINES);
    lines.extend(shown.map(|line| format!("  {sign:10}  {}", shortened(line))));
    if different.len() > MAX_DIFFERENT_LINES {
        lines.push(format!("  {sign:10}  and {} more lines", different.len() - MAX_DIFFERENT_LINES));
    }
}

/// A quoted line, truncated if it is very long.
fn shortened(line: &str) -> String {
    const MAX_CHARACTERS: usize = 200;
    let quoted = quote(line);
    match quoted.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", &quoted[..end]),
        None => quoted,
    }
}
