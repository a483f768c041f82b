//! Alignment of two sequences.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// The largest table of scores, in cells. Longer sequences are aligned by their keys alone.
const MAX_CELLS: usize = 1 << 22;

/// Pairs equal keys, in any order: the first with the first, the second with the second. Keys that the sequences
/// contain in different numbers are left alone, because it is not certain which of them correspond. `used` are the
/// indices that are paired already; it is updated.
pub(crate) fn by_key<K: Hash + Eq>(a: &[K], b: &[K], used: &mut Used) -> Vec<(usize, usize)> {
    let (in_a, in_b) = (places(a, &used.a), places(b, &used.b));
    let mut pairs = Vec::new();
    for (key, of_a) in in_a {
        let Some(of_b) = in_b.get(key).filter(|of_b| of_b.len() == of_a.len()) else { continue };
        pairs.extend(of_a.into_iter().zip(of_b.iter().copied()));
    }
    pairs.sort_unstable();
    pairs.iter().for_each(|&(x, y)| (used.a[x], used.b[y]) = (true, true));
    pairs
}

/// Like [`by_key`], but also pairs keys that the sequences contain in different numbers.
pub(crate) fn by_any_key<K: Hash + Eq>(a: &[K], b: &[K]) -> Vec<(usize, usize)> {
    let used = Used::none(a.len(), b.len());
    let (in_a, in_b) = (places(a, &used.a), places(b, &used.b));
    let both = in_a.into_iter().filter_map(|(key, of_a)| Some((of_a, in_b.get(key)?)));
    let mut pairs: Vec<_> = both.flat_map(|(of_a, of_b)| of_a.into_iter().zip(of_b.iter().copied())).collect();
    pairs.sort_unstable();
    pairs
}

/// The unused indices of each key.
fn places<'k, K: Hash + Eq>(keys: &'k [K], used: &[bool]) -> FxHashMap<&'k K, Vec<usize>> {
    let mut places: FxHashMap<&K, Vec<usize>> = FxHashMap::default();
    for (index, key) in keys.iter().enumerate().filter(|(index, _)| !used[*index]) {
        places.entry(key).or_default().push(index);
    }
    places
}

/// The indices of both sequences that are paired.
pub(crate) struct Used {
    pub(crate) a: Vec<bool>,
    pub(crate) b: Vec<bool>,
}

impl Used {
    pub(crate) fn none(a: usize, b: usize) -> Used {
        Used { a: vec![false; a], b: vec![false; b] }
    }

    fn free(used: &[bool]) -> Vec<usize> {
        used.iter().enumerate().filter(|(_, used)| !**used).map(|(index, _)| index).collect()
    }
}

/// Pairs the remaining elements in order, so that the sum of their scores is as large as possible. Elements with a
/// score of 0 are never paired.
pub(crate) fn by_score(score: impl Fn(usize, usize) -> u32, used: &mut Used) -> Vec<(usize, usize)> {
    let (a, b) = (Used::free(&used.a), Used::free(&used.b));
    let pairs = if a.len().saturating_mul(b.len()) > MAX_CELLS { in_order(&a, &b, score) } else { best(&a, &b, score) };
    pairs.iter().for_each(|&(x, y)| (used.a[x], used.b[y]) = (true, true));
    pairs
}

/// Pairs each element with the next one that it can be paired with.
fn in_order(a: &[usize], b: &[usize], score: impl Fn(usize, usize) -> u32) -> Vec<(usize, usize)> {
    const AHEAD: usize = 64;
    let (mut pairs, mut from) = (Vec::new(), 0);
    for &x in a {
        let ahead = &b[from..(from + AHEAD).min(b.len())];
        if let Some(found) = ahead.iter().position(|&y| score(x, y) > 0) {
            pairs.push((x, b[from + found]));
            from += found + 1;
        }
    }
    pairs
}

fn best(a: &[usize], b: &[usize], score: impl Fn(usize, usize) -> u32) -> Vec<(usize, usize)> {
    let width = b.len() + 1;
    // The cell of (i, j) holds the best sum of `a[i..]` and `b[j..]`.
    let mut sums = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            let here = score(a[i], b[j]);
            let paired = if here == 0 { 0 } else { here + sums[(i + 1) * width + j + 1] };
            sums[i * width + j] = paired.max(sums[(i + 1) * width + j]).max(sums[i * width + j + 1]);
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < a.len() && j < b.len() {
        let (sum, here) = (sums[i * width + j], score(a[i], b[j]));
        if here > 0 && sum == here + sums[(i + 1) * width + j + 1] {
            pairs.push((a[i], b[j]));
            (i, j) = (i + 1, j + 1);
        } else if sum == sums[(i + 1) * width + j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_are_paired_in_any_order() {
        let mut used = Used::none(3, 3);
        let (a, b) = (["x", "y", "x"], ["y", "x", "z"]);
        assert_eq!(by_key(&a, &b, &mut used), [(1, 0)]);
        assert_eq!((used.a, used.b), (vec![false, true, false], vec![true, false, false]));
        assert_eq!(by_any_key(&a, &b), [(0, 1), (1, 0)]);
    }

    #[test]
    fn the_best_sum_wins() {
        let (a, b) = ([1, 5, 9], [5, 1, 9]);
        let score = |x: usize, y: usize| if a[x] == b[y] { a[x] } else { 0 };
        assert_eq!(by_score(score, &mut Used::none(3, 3)), [(1, 0), (2, 2)]);
        assert_eq!(in_order(&[0, 1, 2], &[0, 1, 2], score), [(0, 1), (2, 2)]);
    }
}
