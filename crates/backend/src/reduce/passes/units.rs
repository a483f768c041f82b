//! Removable parts of a program.

use crate::reduce::edits::EditSet;
use crate::reduce::program::ParsedProgram;
use std::ops::Range;

/// Removable parts of one kind, in the order in which they are tried.
pub(in crate::reduce) trait Units: Sync {
    /// The number of parts.
    fn len(&self) -> usize;

    /// The program without some parts; `None` if they cannot be removed.
    fn without(&self, units: Range<usize>) -> Option<String>;
}

/// Parts that can be removed independently.
pub(super) struct Cuts<'s> {
    pub(in crate::reduce) text: &'s str,
    pub(in crate::reduce) cuts: Vec<EditSet>,
}

impl<'s> Cuts<'s> {
    pub(in crate::reduce) fn boxed(
        program: &'s ParsedProgram,
        cuts: impl Iterator<Item = EditSet>,
    ) -> Box<dyn Units + 's> {
        Box::new(Cuts { text: &program.text, cuts: cuts.collect() })
    }

    /// Ranges to remove, including their lines if they contain nothing else.
    pub(in crate::reduce) fn of_ranges(
        program: &'s ParsedProgram,
        ranges: impl Iterator<Item = Range<u32>>,
    ) -> Box<dyn Units + 's> {
        let one = |range| {
            let mut edits = EditSet::default();
            edits.remove(&program.text, range);
            edits
        };
        Cuts::boxed(program, ranges.map(one))
    }
}

impl Units for Cuts<'_> {
    fn len(&self) -> usize {
        self.cuts.len()
    }

    fn without(&self, units: Range<usize>) -> Option<String> {
        let mut all = EditSet::default();
        self.cuts.get(units)?.iter().for_each(|edits| all.extend(edits));
        Some(all.apply(self.text))
    }
}
