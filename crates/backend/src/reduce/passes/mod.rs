//! Passes, each of which removes parts of one kind.

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

use super::program::ParsedProgram;

/// A pass.
pub(super) struct Pass {
    /// The removable parts of a program.
    pub(super) units: fn(&ParsedProgram) -> Box<dyn Units + '_>,
    /// Whether many parts are removed at once.
    pub(super) is_grouped: bool,
}

/// All passes. Those that remove the most come first.
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
