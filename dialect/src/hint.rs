//! Optimization hints: the names that the compiler knows, and what they may say.

use crate::{Mnemonic, Version};

/// A hint that the compiler knows.
#[derive(Debug)]
pub struct HintRow {
    /// Its name.
    pub name: &'static str,
    /// Its legal values, each with the first version that has this range, the oldest first.
    pub ranges: &'static [(Version, HintRange)],
    /// Whether it is about thread blocks that work together: without clusters it can only say 1.
    pub of_clusters: bool,
    /// The ops that take it.
    pub ops: &'static [Mnemonic],
    /// Its meaning.
    pub doc: &'static str,
}

/// The accepted values of a hint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HintRange {
    /// `true` or `false`.
    Bool,
    /// An integer between the two, both included.
    Between(i64, i64),
    /// A power of two between the two, both included.
    PowerOfTwo(i64, i64),
}

impl HintRange {
    /// Whether the compiler takes an integer as it is.
    pub fn contains(self, value: i64) -> bool {
        self.clamped(value) == Some(value)
    }

    /// The value that NVIDIA's compiler uses for an integer: the nearest end of the range. `None` where it ignores the
    /// hint, since the value is not a power of two.
    pub fn clamped(self, value: i64) -> Option<i64> {
        match self {
            HintRange::Bool => None,
            HintRange::Between(low, high) => Some(value.clamp(low, high)),
            HintRange::PowerOfTwo(low, high) => (value > 0 && value.count_ones() == 1).then(|| value.clamp(low, high)),
        }
    }
}

impl std::fmt::Display for HintRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            HintRange::Bool => write!(f, "`true` or `false`"),
            HintRange::Between(low, high) => write!(f, "a number from {low} to {high}"),
            HintRange::PowerOfTwo(low, high) if low == high => write!(f, "{low}"),
            HintRange::PowerOfTwo(low, high) if low * 2 == high => write!(f, "{low} or {high}"),
            HintRange::PowerOfTwo(low, high) => write!(f, "a power of two from {low} to {high}"),
        }
    }
}

impl HintRow {
    /// The legal values in a version.
    pub fn range(&self, version: Version) -> HintRange {
        let known = self.ranges.iter().rev().find(|(since, _)| *since <= version);
        known.unwrap_or(&self.ranges[0]).1
    }
}

/// An architecture that hints are given for.
#[derive(Debug)]
pub struct Architecture {
    /// Its name, such as `sm_90`; `default` applies to all architectures that are not listed.
    pub name: &'static str,
    /// The first version that knows it.
    pub since: Version,
    /// Whether a tile block can span several thread blocks of it.
    pub has_clusters: bool,
}

/// Every hint.
pub static HINTS: [HintRow; 5] = [
    HintRow {
        name: "num_cta_in_cga",
        ranges: &[(Version::V13_1, HintRange::PowerOfTwo(1, 16))],
        of_clusters: true,
        ops: &[Mnemonic::Entry],
        doc: "How many thread blocks of a cluster work on one tile block.",
    },
    HintRow {
        name: "num_worker_warps_per_cta",
        ranges: &[(Version::V13_1, HintRange::PowerOfTwo(4, 8)), (Version::V13_5, HintRange::PowerOfTwo(1, 32))],
        of_clusters: false,
        ops: &[Mnemonic::Entry],
        doc: "How many warps of a thread block compute.",
    },
    HintRow {
        name: "occupancy",
        ranges: &[(Version::V13_1, HintRange::Between(1, 32))],
        of_clusters: false,
        ops: &[Mnemonic::Entry],
        doc: "How many thread blocks share a multiprocessor.",
    },
    HintRow {
        name: "allow_tma",
        ranges: &[(Version::V13_1, HintRange::Bool)],
        of_clusters: false,
        ops: &[Mnemonic::LoadViewTko, Mnemonic::StoreViewTko],
        doc: "Whether the tensor memory accelerator may be used.",
    },
    HintRow {
        name: "latency",
        ranges: &[(Version::V13_1, HintRange::Between(1, 10))],
        of_clusters: false,
        ops: &[Mnemonic::LoadViewTko, Mnemonic::StoreViewTko, Mnemonic::LoadPtrTko, Mnemonic::StorePtrTko],
        doc: "How long the access may take, from 1, short, to 10, long.",
    },
];

/// Every architecture.
pub static ARCHITECTURES: [Architecture; 13] = [
    architecture("default", true),
    architecture("sm_80", false),
    architecture("sm_86", false),
    architecture("sm_87", false),
    architecture("sm_88", false),
    architecture("sm_89", false),
    architecture("sm_90", true),
    architecture("sm_100", true),
    architecture("sm_103", true),
    Architecture { since: Version::V13_4, ..architecture("sm_107", true) },
    architecture("sm_110", true),
    architecture("sm_120", true),
    architecture("sm_121", true),
];

const fn architecture(name: &'static str, has_clusters: bool) -> Architecture {
    Architecture { name, since: Version::V13_1, has_clusters }
}
