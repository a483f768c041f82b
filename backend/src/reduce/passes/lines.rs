//! Removal of lines. This is the last resort for programs with errors that prevent further parsing.

use super::units::{Cuts, Units};
use crate::reduce::draft::Draft;
use crate::reduce::seen::Seen;

/// The lines of the text.
pub(super) fn lines(seen: &Seen) -> Box<dyn Units + '_> {
    let mut end = 0;
    let all = seen.text.split_inclusive('\n').map(move |line| {
        let start = end;
        end += line.len() as u32;
        let mut draft = Draft::default();
        draft.replace(start..end, "");
        draft
    });
    Cuts::boxed(seen, all)
}
