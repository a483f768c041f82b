//! Another order: what no token and no value orders may come in any order, and a seed picks one.
//!
//! Tile blocks begin in an order that the seed shuffles. Inside a block an access to memory may be put off, with its
//! operands as they are. It runs before the first op that reads its token or its result, before the end of a region
//! that ends scratch memory, at the latest at the end of its block, and now and then at random. Prints are not put off.

use super::machine::{Machine, Run};
use super::plan::Step;
use super::value::Value;

/// The order of one thread's blocks.
pub(crate) struct Schedule<'a> {
    seed: u64,
    random: Random,
    /// Accesses that have been put off. Nothing orders them among each other.
    pending: Vec<Pending<'a>>,
    /// The iterations of loops since all of them ran.
    turns: u32,
}

struct Pending<'a> {
    step: &'a Step,
    inputs: Vec<Value>,
    /// Where a trace says that it ran: where it stands.
    iterations: Vec<u64>,
}

/// A loop that has run so often may be waiting for what was put off.
const PATIENCE: u32 = 64;

impl Schedule<'_> {
    /// The order that a seed picks.
    pub(crate) fn new(seed: u64) -> Self {
        Schedule { seed, random: Random(seed), pending: Vec::new(), turns: 0 }
    }

    /// A block begins. Its order does not depend on the blocks before.
    fn begin(&mut self, number: u64) {
        self.random = Random(self.seed ^ number.wrapping_mul(0xD134_2543_DE82_EF95));
        self.pending.clear();
    }
}

impl<'a> Machine<'a> {
    /// The block with this number begins.
    pub(super) fn schedule_block(&mut self, number: u64) {
        self.schedule.iter_mut().for_each(|schedule| schedule.begin(number));
    }

    /// Puts off the op whose operands are ready, if it may be and the seed says so.
    pub(super) fn puts_off(&mut self, step: &'a Step) -> bool {
        let Some(schedule) = self.schedule.as_mut().filter(|_| step.movable) else { return false };
        let puts_off = schedule.random.below(2) == 0;
        if puts_off {
            let iterations = self.watcher.as_ref().map(|watcher| watcher.iterations().to_vec()).unwrap_or_default();
            schedule.pending.push(Pending { step, inputs: std::mem::take(&mut self.inputs), iterations });
        }
        puts_off
    }

    /// Whether an op has been put off and did not run yet.
    pub(super) fn is_put_off(&self, step: &Step) -> bool {
        let is_it = |pending: &Pending<'_>| std::ptr::eq(pending.step, step);
        self.schedule.as_ref().is_some_and(|schedule| schedule.pending.iter().any(is_it))
    }

    /// Runs what must have run before an op does, and now and then something else.
    pub(super) fn catch_up(&mut self, step: &Step) -> Run<()> {
        while let Some(schedule) = self.schedule.as_mut().filter(|schedule| !schedule.pending.is_empty()) {
            let Some(index) = schedule.pending.iter().position(|pending| step.needs(pending.step)) else {
                if schedule.random.below(8) == 0 {
                    let index = schedule.random.below(schedule.pending.len());
                    self.run_pending(index)?;
                }
                return Ok(());
            };
            self.run_pending(index)?;
        }
        Ok(())
    }

    /// Runs all that was put off.
    pub(super) fn catch_up_all(&mut self) -> Run<()> {
        while let Some(schedule) = self.schedule.as_mut().filter(|schedule| !schedule.pending.is_empty()) {
            let index = schedule.random.below(schedule.pending.len());
            self.run_pending(index)?;
        }
        Ok(())
    }

    /// A loop begins an iteration.
    pub(super) fn schedule_turn(&mut self) -> Run<()> {
        let Some(schedule) = &mut self.schedule else { return Ok(()) };
        schedule.turns += 1;
        if schedule.turns < PATIENCE {
            return Ok(());
        }
        schedule.turns = 0;
        self.catch_up_all()
    }

    fn run_pending(&mut self, index: usize) -> Run<()> {
        let Some(schedule) = &mut self.schedule else { return Ok(()) };
        let Pending { step, inputs, iterations } = schedule.pending.swap_remove(index);
        self.inputs = inputs;
        if self.watcher.is_some() { self.watched_late(step, iterations) } else { self.execute(step) }
    }
}

impl Step {
    /// Whether it reads, or defines anew, what another op defines.
    fn needs(&self, other: &Step) -> bool {
        let defines = |slot: usize| (other.results..other.results + other.result_count).contains(&slot);
        self.results == other.results && other.result_count > 0
            || self.operands.iter().any(|operand| defines(operand.slot))
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed(self.0)
    }

    /// A number below another, which is not 0.
    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ bits >> 31
}

/// Which of `count` blocks begins at a place in the order that a seed picks. Each begins at one place: four rounds that
/// can be undone shuffle a square that has room for all, and what falls outside is shuffled again.
pub(crate) fn block_at(place: u64, count: u64, seed: u64) -> u64 {
    let half = (count.max(2) - 1).ilog2() / 2 + 1;
    let mask = (1 << half) - 1;
    let shuffle = |number: u64| {
        (0..4).fold(number, |number, round| {
            let (left, right) = (number >> half, number & mask);
            right << half | (left ^ mixed(right ^ seed.wrapping_add(round) << 32) & mask)
        })
    };
    let mut number = shuffle(place);
    while number >= count {
        number = shuffle(number);
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_begins_once() {
        for count in [1, 2, 3, 4, 5, 16, 17, 100, 1000] {
            for seed in 0..4 {
                let mut order: Vec<u64> = (0..count).map(|place| block_at(place, count, seed)).collect();
                assert!(count < 16 || !order.is_sorted(), "{count} {seed}");
                order.sort_unstable();
                assert!(order.into_iter().eq(0..count), "{count} {seed}");
            }
        }
    }

    #[test]
    fn seeds_pick_different_orders() {
        let order = |seed| (0..3).map(|place| block_at(place, 3, seed)).collect::<Vec<u64>>();
        let mut orders: Vec<_> = (0..64).map(order).collect();
        orders.sort_unstable();
        orders.dedup();
        assert_eq!(orders.len(), 6);
    }
}
