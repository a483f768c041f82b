//! How often an op runs, and why more is not known about it.

use crate::access::Access;
use crate::names::SourceNames;
use tile_analysis::ir::Value;

/// How often an op runs in a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Executions {
    /// The number of executions over all tile blocks.
    pub count: u64,
    /// Whether the op runs under a condition that is unknown, so that it may run less often.
    pub is_upper_bound: bool,
}

impl Executions {
    /// How often the op runs, in words.
    pub fn times(&self) -> String {
        let at_most = if self.is_upper_bound { "at most " } else { "" };
        match self.count {
            0 => "never".to_string(),
            1 => format!("{at_most}once"),
            count => format!("{at_most}{count} times"),
        }
    }
}

/// Why the volume of an access is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unmeasured {
    /// The trip count of a loop is unknown.
    TripCount,
    /// Which elements the executions access depends on a value that only a run knows: see
    /// [`Access::unknown_elements`].
    Elements(Executions),
    /// This integer can overflow, so expressions of it can be wrong.
    Overflow(Value),
    /// There are too many to enumerate.
    TooMany,
}

impl Unmeasured {
    /// The reason in the terms of the source.
    pub fn reason(&self, access: &Access, names: &SourceNames<'_>) -> String {
        match self {
            Unmeasured::TripCount => "the trip count of a loop is unknown".to_string(),
            Unmeasured::Elements(_) => access.unknown_elements().reason(names),
            Unmeasured::Overflow(value) => format!("`{}` can overflow", names.value(*value)),
            Unmeasured::TooMany => "there are too many accesses to count".to_string(),
        }
    }
}
