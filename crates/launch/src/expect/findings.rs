//! The codes that `expect error` accepts.

use crate::cursor::{Cursor, Parsed};
use crate::error::LaunchError;
use tile_analysis::suggest;

/// The codes of the findings of runs. They are those of the engine's pages, on which this crate does not depend; a test
/// in `tests/tests/it/pages.rs` compares the two.
#[rustfmt::skip]
pub const FINDINGS: [&str; 33] = [
    "R0101", "R0102", "R0103", "R0104", "R0105", "R0106", "R0107", "R0108", "R0109", "R0110", "R0111", "R0112",
    "R0201", "R0202", "R0203", "R0204", "R0205", "R0206",
    "R0301", "R0302", "R0303", "R0304", "R0305",
    "R0401", "R0402", "R0403", "R0404",
    "R0501", "R0502", "R0503", "R0504",
    "R0601", "R0602",
];

/// Parses the code of a finding.
pub(super) fn code(cursor: &mut Cursor<'_>) -> Parsed<String> {
    let (code, range) = cursor.word();
    if code.is_empty() {
        return Err(cursor.expected("the code of a finding, such as `R0107`"));
    }
    if FINDINGS.contains(&code) {
        return Ok(code.to_string());
    }
    let help = match suggest::closest(code, FINDINGS).filter(|_| code.starts_with(['R', 'r'])) {
        Some(close) => format!("did you mean `{close}`?"),
        None => {
            "write the code of a finding of a run; `tile explain` lists them, as codes that begin with `R`".to_string()
        }
    };
    Err(LaunchError::new(range, format!("unknown finding `{code}`")).help(help))
}
