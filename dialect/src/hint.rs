//! Optimization hints: the names that the compiler knows, and what they may say.

use crate::{Mnemonic, Version};

/// A hint that the compiler knows.
#[derive(Debug)]
pub struct HintRow {
    /// Its name.
    pub name: &'static str,
    /// What it may say.
    pub value: HintRange,
    /// Whether it is about thread blocks that work together: without clusters it can only say 1.
    pub of_clusters: bool,
    /// The ops that take it.
    pub ops: &'static [Mnemonic],
    /// What it advises.
    pub doc: &'static str,
}

/// What a hint may say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HintRange {
    /// `true` or `false`.
    Bool,
    /// An integer between the two, both included.
    Between(i64, i64),
    /// A power of two up to this one.
    PowerOfTwo(i64),
}

/// An architecture that hints are given for.
#[derive(Debug)]
pub struct Architecture {
    /// Its name, such as `sm_90`; `default` stands for all that have no hints of their own.
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
        value: HintRange::PowerOfTwo(16),
        of_clusters: true,
        ops: &[Mnemonic::Entry],
        doc: "How many thread blocks of a cluster work on one tile block.",
    },
    HintRow {
        name: "num_worker_warps_per_cta",
        value: HintRange::PowerOfTwo(32),
        of_clusters: false,
        ops: &[Mnemonic::Entry],
        doc: "How many warps of a thread block compute; the compiler uses 4 to 8.",
    },
    HintRow {
        name: "occupancy",
        value: HintRange::Between(1, 32),
        of_clusters: false,
        ops: &[Mnemonic::Entry],
        doc: "How many thread blocks share a multiprocessor.",
    },
    HintRow {
        name: "allow_tma",
        value: HintRange::Bool,
        of_clusters: false,
        ops: &[Mnemonic::LoadViewTko, Mnemonic::StoreViewTko],
        doc: "Whether the tensor memory accelerator may be used.",
    },
    HintRow {
        name: "latency",
        value: HintRange::Between(1, 10),
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
