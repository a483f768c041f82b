//! Reports how the printed text differs.

use super::outcome::Outcome;
use super::quote;

/// The number of equal lines that are shown before and after the different ones.
const AROUND: usize = 2;

/// The maximum number of different lines that are shown of either text.
const MOST: usize = 8;

/// Compares the printed text with the expected one, and shows the different lines like `diff`.
pub(super) fn compared(want: &str, got: &str) -> Outcome {
    if want == got {
        return Outcome::new(true, "the printed text agrees");
    }
    let [wanted, found] = [want, got].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let before = wanted.iter().zip(&found).take_while(|(want, got)| want == got).count();
    let (wanted_rest, found_rest) = (&wanted[before..], &found[before..]);
    let behind = wanted_rest.iter().rev().zip(found_rest.iter().rev()).take_while(|(want, got)| want == got).count();
    let mut lines = vec![format!("the printed text differs in line {}", before + 1)];
    let shown = |line: &&str| format!("              {}", shortened(line));
    lines.extend(wanted[before.saturating_sub(AROUND)..before].iter().map(shown));
    differing(&mut lines, "- expected", &wanted_rest[..wanted_rest.len() - behind]);
    differing(&mut lines, "+ got", &found_rest[..found_rest.len() - behind]);
    lines.extend(wanted[wanted.len() - behind..].iter().take(AROUND).map(shown));
    Outcome::new(false, lines.join("\n"))
}

fn differing(lines: &mut Vec<String>, sign: &str, of: &[&str]) {
    if of.is_empty() {
        lines.push(format!("  {sign:10}  nothing"));
    }
    lines.extend(of.iter().take(MOST).map(|line| format!("  {sign:10}  {}", shortened(line))));
    if of.len() > MOST {
        lines.push(format!("  {sign:10}  and {} more lines", of.len() - MOST));
    }
}

/// A line in quotes, cut if it is very long.
fn shortened(line: &str) -> String {
    const LONGEST: usize = 200;
    let quoted = quote(line);
    match quoted.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &quoted[..end]),
        None => quoted,
    }
}
