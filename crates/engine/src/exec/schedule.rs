//! The state of a scheduled run: a seed selects one of the orders that the program's tokens and values allow.
//!
//! Tile blocks begin in an order shuffled by the seed. Inside a block, a memory access can be deferred together with
//! its operands. It runs before the first op that reads its token or its result, before the end of a region that frees
//! scratch memory, at the end of its block at the latest, and randomly earlier. Prints are not deferred.

use crate::exec::plan::Step;
use crate::exec::random::Random;
use crate::values::value::Value;

/// The order of one thread's blocks.
pub(crate) struct Schedule<'a> {
    seed: u64,
    pub(crate) random: Random,
    /// Deferred accesses, which are unordered among each other.
    pub(crate) pending: Vec<Pending<'a>>,
    /// The number of loop iterations since all deferred accesses ran.
    pub(crate) turns: u32,
}

/// A deferred access.
pub(crate) struct Pending<'a> {
    pub(crate) step: &'a Step,
    pub(crate) inputs: Vec<Value>,
    /// The iterations of the enclosing loops when it was deferred, for traces.
    pub(crate) iterations: Vec<u64>,
}

/// After this number of loop iterations all deferred accesses run: a loop may be waiting for one.
pub(crate) const MAX_TURNS: u32 = 64;

impl Schedule<'_> {
    /// The order that a seed selects.
    pub(crate) fn new(seed: u64) -> Self {
        Schedule { seed, random: Random(seed), pending: Vec::new(), turns: 0 }
    }

    /// Starts a block. Its order does not depend on earlier blocks.
    pub(crate) fn begin(&mut self, number: u64) {
        self.random = Random(self.seed ^ number.wrapping_mul(0xD134_2543_DE82_EF95));
        self.pending.clear();
    }
}
