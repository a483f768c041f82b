//! What can be taken away from a program. One file a pass.

mod comments;
mod extents;
mod items;
mod launches;
mod lines;
mod ops;
mod params;
mod parts;
mod unwrap;

use super::draft::Draft;
use super::seen::Seen;
use std::ops::Range;

/// Things of one kind that can be taken away.
pub(super) struct Pass {
    /// Those of a program.
    pub(super) units: fn(&Seen) -> Box<dyn Units + '_>,
    /// Whether it is worth trying many at once.
    pub(super) is_grouped: bool,
}

/// Things of one kind, in the order in which they are tried.
pub(super) trait Units: Sync {
    /// How many there are.
    fn len(&self) -> usize;

    /// The program without some of them; nothing where that cannot be.
    fn without(&self, units: Range<usize>) -> Option<String>;
}

/// All passes, those first that take most away.
pub(super) const PASSES: &[Pass] = &[
    Pass { units: items::entries, is_grouped: true },
    Pass { units: launches::launches, is_grouped: true },
    Pass { units: comments::comments, is_grouped: true },
    Pass { units: ops::by_constants, is_grouped: true },
    Pass { units: ops::by_values, is_grouped: true },
    Pass { units: unwrap::regions, is_grouped: false },
    Pass { units: parts::parts, is_grouped: false },
    Pass { units: extents::extents, is_grouped: false },
    Pass { units: params::params, is_grouped: false },
    Pass { units: items::outline, is_grouped: true },
    Pass { units: lines::lines, is_grouped: true },
];

/// Things that can be taken away without regard to one another.
pub(super) struct Cuts<'s> {
    text: &'s str,
    cuts: Vec<Draft>,
}

impl<'s> Cuts<'s> {
    fn boxed(seen: &'s Seen, cuts: impl Iterator<Item = Draft>) -> Box<dyn Units + 's> {
        Box::new(Cuts { text: &seen.text, cuts: cuts.collect() })
    }

    /// Ranges that are taken away, each with its lines where nothing else stands there.
    fn of_ranges(seen: &'s Seen, ranges: impl Iterator<Item = Range<u32>>) -> Box<dyn Units + 's> {
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
