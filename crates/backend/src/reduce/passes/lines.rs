//! Removal of lines. This is the last resort for programs with errors that prevent further parsing.

use super::units::{Cuts, Units};
use crate::reduce::edits::EditSet;
use crate::reduce::program::ParsedProgram;

/// The lines of the text.
pub(super) fn lines(program: &ParsedProgram) -> Box<dyn Units + '_> {
    let mut end = 0;
    let all = program.text.split_inclusive('\n').map(move |line| {
        let start = end;
        end += line.len() as u32;
        let mut edits = EditSet::default();
        edits.replace(start..end, "");
        edits
    });
    Cuts::boxed(program, all)
}
