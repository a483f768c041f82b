//! What can be taken away from a program. One file a pass.

mod comments;
mod extents;
mod items;
mod launches;
mod lines;
mod ops;
mod params;
mod parts;
mod units;
mod unwrap;

pub(super) use units::Units;

use super::seen::Seen;

/// Things of one kind that can be taken away.
pub(super) struct Pass {
    /// Those of a program.
    pub(super) units: fn(&Seen) -> Box<dyn Units + '_>,
    /// Whether it is worth trying many at once.
    pub(super) is_grouped: bool,
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
