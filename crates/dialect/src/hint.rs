//! Optimization hints known to the compiler, and their legal values.

use crate::{Mnemonic, Version};

/// A hint known to the compiler.
#[derive(Debug)]
pub struct HintRow {
    /// Its name.
    pub name: &'static str,
    /// Its legal ranges, each with the first version that has it, oldest first.
    pub ranges: &'static [(Version, HintRange)],
    /// Whether it concerns clusters of thread blocks; on GPUs without clusters, it can only be 1.
    pub of_clusters: bool,
    /// The ops that accept it.
    pub ops: &'static [Mnemonic],
    /// Its description.
    pub doc: &'static str,
}

/// The legal values of a hint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HintRange {
    /// `true` or `false`.
    Bool,
    /// An integer in this inclusive range.
    Between(i64, i64),
    /// A power of two in this inclusive range.
    PowerOfTwo(i64, i64),
}

impl HintRange {
    /// Whether the compiler uses an integer unchanged.
    pub fn contains(self, value: i64) -> bool {
        self.clamped(value) == Some(value)
    }

    /// The value that NVIDIA's compiler uses for an integer, which is clamped to the range. `None` if the compiler
    /// ignores the hint because the value is not a power of two.
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

/// An architecture that hints can be given for.
#[derive(Debug)]
pub struct Architecture {
    /// Its name, such as `sm_90`; `default` applies to every architecture without its own hints.
    pub name: &'static str,
    /// The first version that supports it.
    pub since: Version,
    /// Whether it supports clusters, so that a tile block can span several thread blocks.
    pub has_clusters: bool,
}

/// Every hint.
pub static HINTS: [HintRow; 5] = [
    HintRow {
        name: "num_cta_in_cga",
        ranges: &[(Version::V13_1, HintRange::PowerOfTwo(1, 16))],
        of_clusters: true,
        ops: &[Mnemonic::Entry],
        doc: "The number of thread blocks of a cluster that work on one tile block.",
    },
    HintRow {
        name: "num_worker_warps_per_cta",
        ranges: &[(Version::V13_1, HintRange::PowerOfTwo(4, 8)), (Version::V13_5, HintRange::PowerOfTwo(1, 32))],
        of_clusters: false,
        ops: &[Mnemonic::Entry],
        doc: "The number of warps of a thread block that compute.",
    },
    HintRow {
        name: "occupancy",
        ranges: &[(Version::V13_1, HintRange::Between(1, 32))],
        of_clusters: false,
        ops: &[Mnemonic::Entry],
        doc: "The number of thread blocks that share a multiprocessor.",
    },
    HintRow {
        name: "allow_tma",
        ranges: &[(Version::V13_1, HintRange::Bool)],
        of_clusters: false,
        ops: &[Mnemonic::LoadViewTko, Mnemonic::StoreViewTko],
        doc: "Whether the tensor memory accelerator can be used.",
    },
    HintRow {
        name: "latency",
        ranges: &[(Version::V13_1, HintRange::Between(1, 10))],
        of_clusters: false,
        ops: &[Mnemonic::LoadViewTko, Mnemonic::StoreViewTko, Mnemonic::LoadPtrTko, Mnemonic::StorePtrTko],
        doc: "The expected latency of the access, from 1 (short) to 10 (long).",
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
