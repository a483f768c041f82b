//! The random orders of scheduled runs, each determined by a seed.

/// SplitMix64 (Steele, Lea and Flood, 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed(self.0)
    }

    /// A number less than `limit`, which is not 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ bits >> 31
}

/// The number of the block at position `place` in the order that `seed` selects, a permutation of `count` blocks. Four
/// Feistel rounds permute a power of four that is at least `count`; a result that is too large is permuted again.
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
