//! Diagnostics as JSON, kept from check to check: a diagnostic is converted once, and an edit above it changes only its
//! line numbers. Converting all of them again would make an edit in a dump of 10,000 lines with 180 diagnostics half as
//! expensive again (`tests/budgets`: valid edit, source, 10k).

use crate::text::Text;
use memchr::memmem;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::io::Write;
use std::ops::Range;
use std::sync::Arc;
use tile_analysis::diagnostic::{Diagnostic, Located, Severity};
use tower_lsp::ls_types::{Diagnostic as Converted, Position};

/// The diagnostics that were last sent about a document.
#[derive(Debug, Default)]
pub(crate) struct Written {
    json: Arc<Vec<u8>>,
    /// By the addresses of the diagnostics.
    places: FxHashMap<usize, Place>,
}

/// Where a diagnostic is in the JSON.
#[derive(Debug)]
struct Place {
    range: Range<usize>,
    /// Keeps others from having its address.
    of: Arc<Diagnostic>,
    severity: Severity,
    /// The position of the part that the diagnostic is relative to.
    start: Position,
}

impl Written {
    /// The diagnostics of a text as JSON, separated by commas. `convert` is called for those that were not sent last.
    pub(crate) fn write(
        &mut self,
        all: Vec<Located>,
        text: &Text,
        convert: impl Fn(Diagnostic) -> Converted,
    ) -> Arc<Vec<u8>> {
        let mut json = Vec::with_capacity(self.json.len() + 500);
        let mut places = FxHashMap::with_capacity_and_hasher(all.len(), Default::default());
        let mut start = (0, Position::default());
        for found in all {
            if found.start != start.0 {
                start = (found.start, text.position(found.start));
            }
            if !json.is_empty() {
                json.push(b',');
            }
            let begin = json.len();
            let address = Arc::as_ptr(&found.diagnostic) as usize;
            match self.places.get(&address).filter(|place| place.is_of(&found, start.1)) {
                Some(place) => {
                    let by = i64::from(start.1.line) - i64::from(place.start.line);
                    write_moved(&mut json, &self.json[place.range.clone()], by);
                }
                None => {
                    let converted = convert(found.in_file());
                    json.extend(json_of(&converted));
                    // Data contains the version of the text.
                    if converted.data.is_some() {
                        continue;
                    }
                }
            }
            let Located { diagnostic: of, severity, .. } = found;
            places.insert(address, Place { range: begin..json.len(), of, severity, start: start.1 });
        }
        *self = Written { json: Arc::new(json), places };
        self.json.clone()
    }
}

impl Place {
    /// Whether this is a diagnostic, of a part at a position, apart from the line.
    fn is_of(&self, found: &Located, start: Position) -> bool {
        Arc::ptr_eq(&self.of, &found.diagnostic)
            && self.severity == found.severity
            && self.start.character == start.character
    }
}

/// Copies a diagnostic and adds `by` to all line numbers. Quotes inside of strings have a backslash, so whatever looks
/// like the key of a line number is one.
fn write_moved(to: &mut Vec<u8>, diagnostic: &[u8], by: i64) {
    const KEY: &[u8] = br#""line":"#;
    let mut rest = diagnostic;
    while by != 0
        && let Some(at) = memmem::find(rest, KEY)
    {
        let (before, number) = rest.split_at(at + KEY.len());
        let digits = number.iter().take_while(|digit| digit.is_ascii_digit());
        let line = digits.clone().fold(0, |line, digit| 10 * line + i64::from(digit - b'0'));
        to.extend_from_slice(before);
        let _ = write!(to, "{}", line + by);
        rest = &number[digits.count()..];
    }
    to.extend_from_slice(rest);
}

/// A value as JSON.
pub(crate) fn json_of(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_else(|_| b"null".to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use tower_lsp::ls_types::Range;

    #[test]
    fn only_line_numbers_move() {
        let at = |line| Range::new(Position::new(line, 9), Position::new(line + 1, 98));
        let of = |line| {
            let message = "\"line\":7 \\\"line\":8 {\"line\":9}".to_string();
            let data = Some(json!([{ "a": at(line) }]));
            json_of(&Converted { range: at(line), message, data, ..Converted::default() })
        };
        for (from, to) in [(0, 1), (9, 10), (99, 98), (100, 9), (5, 5)] {
            let mut moved = Vec::new();
            write_moved(&mut moved, &of(from), i64::from(to) - i64::from(from));
            assert_eq!(String::from_utf8(moved), String::from_utf8(of(to)), "from {from} to {to}");
        }
    }
}
