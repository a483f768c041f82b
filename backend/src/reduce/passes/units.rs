//! Removable parts of a program.

use crate::reduce::draft::Draft;
use crate::reduce::seen::Seen;
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
    pub(in crate::reduce) cuts: Vec<Draft>,
}

impl<'s> Cuts<'s> {
    pub(in crate::reduce) fn boxed(seen: &'s Seen, cuts: impl Iterator<Item = Draft>) -> Box<dyn Units + 's> {
        Box::new(Cuts { text: &seen.text, cuts: cuts.collect() })
    }

    /// Ranges to remove, including their lines if they contain nothing else.
    pub(in crate::reduce) fn of_ranges(
        seen: &'s Seen,
        ranges: impl Iterator<Item = Range<u32>>,
    ) -> Box<dyn Units + 's> {
        let one = |range| {
            let mut draft = Draft::default();
            draft.remove(&seen.text, range);
            draft
        };
        Cuts::boxed(seen, ranges.map(one))
    }
}

impl Units for Cuts<'_> {
    fn len(&self) -> usize {
        self.cuts.len()
    }

    fn without(&self, units: Range<usize>) -> Option<String> {
        let mut all = Draft::default();
        self.cuts.get(units)?.iter().for_each(|draft| all.extend(draft));
        Some(all.apply(self.text))
    }
}
