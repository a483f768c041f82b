//! Estimates from samples of times, with confidence intervals that assume no distribution.
//!
//! The times of a kernel are skewed and have outliers, so means and standard deviations say little about them. The
//! interval of a median follows from the order of the samples alone (David and Nagaraja, *Order Statistics*, section
//! 7.1); that of a ratio of two sets of samples is the one of Hodges and Lehmann (*Estimates of location based on rank
//! tests*, 1963).

use serde::{Deserialize, Serialize};
use tile_launch::random::normal_quantile;

/// The confidence of intervals that are shown.
pub const CONFIDENCE: f64 = 0.95;

/// An estimate with a confidence interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimated value.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// Half the width of the interval relative to the value.
    pub fn precision(&self) -> f64 {
        (self.high - self.low) / (2.0 * self.value)
    }
}

/// The median of samples with this confidence. With too few samples for it, the interval contains all of them; `None`
/// without samples.
pub fn median(samples: &[f64], confidence: f64) -> Option<Estimate> {
    let sorted = sorted(samples);
    let value = middle(&sorted)?;
    let skipped = skipped_ranks(sorted.len(), confidence);
    Some(Estimate { value, low: sorted[skipped], high: sorted[sorted.len() - 1 - skipped] })
}

/// The median of the ratios of two series of samples that were taken in turns, so that both saw the same changes of the
/// machine: `new[i] / old[i]`.
pub fn paired_ratio(old: &[f64], new: &[f64], confidence: f64) -> Option<Estimate> {
    let ratios: Vec<f64> = old.iter().zip(new).map(|(old, new)| new / old).collect();
    median(&ratios, confidence)
}

/// The typical ratio `new / old` of two independent sets of samples: the median over all pairs.
pub fn ratio(old: &[f64], new: &[f64], confidence: f64) -> Option<Estimate> {
    let ratios: Vec<f64> = old.iter().flat_map(|old| new.iter().map(move |new| new / old)).collect();
    let sorted = sorted(&ratios);
    let value = middle(&sorted)?;
    // The number of pairs with a ratio below the true one is that of the Mann-Whitney test, which is nearly normal.
    let (m, n) = (old.len() as f64, new.len() as f64);
    let deviation = (m * n * (m + n + 1.0) / 12.0).sqrt();
    let skipped = (m * n / 2.0 - deviations(confidence) * deviation).floor().max(0.0) as usize;
    let skipped = skipped.min((sorted.len() - 1) / 2);
    Some(Estimate { value, low: sorted[skipped], high: sorted[sorted.len() - 1 - skipped] })
}

fn sorted(samples: &[f64]) -> Vec<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

fn middle(sorted: &[f64]) -> Option<f64> {
    let (low, high) = (sorted.get(sorted.len().checked_sub(1)? / 2)?, sorted.get(sorted.len() / 2)?);
    Some(f64::midpoint(*low, *high))
}

/// The number of samples below the interval of the median, and above it. How many of `count` samples are below the
/// median has a binomial distribution.
fn skipped_ranks(count: usize, confidence: f64) -> usize {
    // Beyond this number, the probability of a single outcome is too small for a number of 64 bits.
    const EXACT: usize = 1000;
    if count > EXACT {
        let half = deviations(confidence) * (count as f64).sqrt() / 2.0;
        return (count as f64 / 2.0 - half).floor() as usize;
    }
    let (mut skipped, mut probability, mut below) = (0, 0.5_f64.powi(count as i32), 0.0);
    loop {
        below += probability;
        if 2.0 * below > 1.0 - confidence || 2 * (skipped + 1) >= count {
            return skipped.saturating_sub(1);
        }
        probability *= (count - skipped) as f64 / (skipped + 1) as f64;
        skipped += 1;
    }
}

/// The number of standard deviations within which a normal variable is with this probability.
fn deviations(confidence: f64) -> f64 {
    normal_quantile(f64::midpoint(1.0, confidence))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tile_launch::random::uniform;

    #[test]
    fn the_interval_of_a_median_is_that_of_the_tables() {
        // From tables of order statistics: with 8, 20 and 50 samples, the intervals of 95 % begin at these ranks.
        for (count, rank) in [(5, 1), (6, 1), (8, 1), (9, 2), (20, 6), (50, 18), (1000, 469), (2000, 957)] {
            assert_eq!(skipped_ranks(count, 0.95) + 1, rank, "{count}");
        }
        let samples: Vec<f64> = (1..=20).map(f64::from).collect();
        assert_eq!(median(&samples, 0.95), Some(Estimate { value: 10.5, low: 6.0, high: 15.0 }));
        assert_eq!(median(&[3.0], 0.95), Some(Estimate { value: 3.0, low: 3.0, high: 3.0 }));
        assert_eq!(median(&[], 0.95), None);
    }

    #[test]
    fn ratios_of_equal_samples_include_one_as_often_as_stated() {
        let mut drawn = 0..;
        let mut fraction = || uniform(0.0, 1.0, 1, drawn.next().unwrap());
        // Skewed, with outliers, as times are.
        let mut samples =
            |scale: f64| -> Vec<f64> { (0..20).map(|_| scale * (1.0 + 0.1 * fraction().powi(4))).collect() };
        let (mut unpaired, mut paired, mut found) = (0, 0, 0);
        for _ in 0..1000 {
            let (old, new, slower) = (samples(1.0), samples(1.0), samples(1.2));
            let has_one = |ratio: Estimate| u32::from(ratio.low <= 1.0 && 1.0 <= ratio.high);
            unpaired += has_one(ratio(&old, &new, 0.95).unwrap());
            paired += has_one(paired_ratio(&old, &new, 0.95).unwrap());
            found += u32::from(ratio(&old, &slower, 0.95).unwrap().low > 1.05);
        }
        // Three standard deviations of a binomial variable around 950 of 1000; sign intervals are wider than stated.
        assert!((929..=971).contains(&unpaired), "{unpaired}");
        assert!((929..=990).contains(&paired), "{paired}");
        assert_eq!(found, 1000);
    }
}
