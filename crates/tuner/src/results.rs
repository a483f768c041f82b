//! The results of benchmarks, and how they compare with a baseline.

use serde::{Deserialize, Serialize};
use tile_backend::cuda::bench::Bench;
use tile_backend::statistics::{CONFIDENCE, Estimate, median, ratio};

/// The value of `format` in a file of results.
const FORMAT: &str = "tile-bench";
/// The version of the format.
const VERSION: u32 = 1;

/// The confidence with which a kernel has become slower or faster. It is higher than that of the shown intervals,
/// because a baseline usually contains many kernels.
const CERTAIN: f64 = 0.99;

/// A file of results, such as a baseline.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Results {
    /// Identifies the format.
    format: String,
    /// The version of the format.
    version: u32,
    /// The version of the program that wrote the file.
    program: String,
    /// One result for each launch and device.
    pub results: Vec<LaunchResult>,
}

/// The times of a launch on a device.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct LaunchResult {
    /// The file, entry and name of the launch, such as `a.tile @scale "large"`.
    pub launch: String,
    /// The target, such as `cuda:0`.
    pub target: String,
    /// The name of the device.
    pub device: String,
    /// The times of the samples in seconds, by round.
    pub rounds: Vec<Vec<f64>>,
    /// The median of all samples, with an interval that includes the median of each round.
    pub seconds: Estimate,
    /// The distinct bytes that the kernel reads, plus those that it writes.
    pub bytes: u64,
    /// The number of operations on elements.
    pub operations: u64,
    /// Whether both numbers are lower bounds.
    pub is_lower_bound: bool,
    /// Peak memory bandwidth of the device in bytes per second, if known.
    pub peak_bytes_per_second: Option<f64>,
    /// Peak operations per second of the device, for the arithmetic of the kernel, if known.
    pub peak_operations_per_second: Option<f64>,
}

/// How a launch compares with its baseline.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Change {
    /// The ratio of the times: new to old.
    pub ratio: Estimate,
    /// Whether the difference is certain and exceeds the threshold.
    pub verdict: Verdict,
}

/// Whether a launch has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Its time has certainly grown by more than the threshold.
    Slower,
    /// Its time has certainly dropped by more than the threshold.
    Faster,
    /// Neither.
    Unchanged,
}

/// What limits the speed of a kernel at best.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Memory bandwidth.
    Memory,
    /// Arithmetic.
    Compute,
}

impl Results {
    /// The results of this program.
    pub fn new(results: Vec<LaunchResult>) -> Results {
        let program = env!("CARGO_PKG_VERSION").to_string();
        Results { format: FORMAT.to_string(), version: VERSION, program, results }
    }

    /// Parses a file of results. The error says what is wrong with it.
    pub fn parse(text: &str) -> Result<Results, String> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
            version: u32,
        }
        let head: Head = serde_json::from_str(text).map_err(|error| format!("not a file of `tile bench`: {error}"))?;
        if head.format != FORMAT {
            return Err(format!("not a file of `tile bench`: its format is `{}`", head.format));
        }
        if head.version != VERSION {
            let version = head.version;
            return Err(format!("its version is {version}, but this program reads version {VERSION}: measure it anew"));
        }
        let results: Results = serde_json::from_str(text).map_err(|error| format!("malformed: {error}"))?;
        let is_time = |seconds: &f64| seconds.is_finite() && *seconds > 0.0;
        match results.results.iter().find(|result| !result.rounds.iter().flatten().all(is_time)) {
            Some(result) => Err(format!("the times of `{}` are not positive", result.launch)),
            None => Ok(results),
        }
    }

    /// The file's text.
    pub fn text(&self) -> String {
        // Plain data with string keys, so it cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// The result of a launch on a target.
    pub fn find(&self, launch: &str, target: &str) -> Option<&LaunchResult> {
        self.results.iter().find(|result| result.launch == launch && result.target == target)
    }
}

impl LaunchResult {
    /// Combines the rounds of a launch; `None` if there are no samples.
    pub fn new(launch: String, target: String, rounds: Vec<Bench>) -> Option<LaunchResult> {
        let bench = rounds.first()?.clone();
        let rounds: Vec<Vec<f64>> = rounds.into_iter().map(|bench| bench.seconds).collect();
        Some(LaunchResult {
            launch,
            target,
            device: bench.device,
            seconds: overall(&rounds)?,
            rounds,
            bytes: bench.bytes,
            operations: bench.operations,
            is_lower_bound: bench.is_open,
            peak_bytes_per_second: bench.most_bytes,
            peak_operations_per_second: bench.most_operations,
        })
    }

    fn samples(&self) -> Vec<f64> {
        self.rounds.concat()
    }

    /// Bytes per second.
    pub fn bytes_per_second(&self) -> f64 {
        self.bytes as f64 / self.seconds.value
    }

    /// Operations per second.
    pub fn operations_per_second(&self) -> f64 {
        self.operations as f64 / self.seconds.value
    }

    /// The fraction of the peak memory bandwidth.
    pub fn of_peak_bytes(&self) -> Option<f64> {
        Some(self.bytes_per_second() / self.peak_bytes_per_second?)
    }

    /// The fraction of the peak rate of operations.
    pub fn of_peak_operations(&self) -> Option<f64> {
        Some(self.operations_per_second() / self.peak_operations_per_second?)
    }

    /// The position on the roofline: what limits the kernel at best, and the fraction of that limit that it reaches.
    /// `None` if nothing is known to be done, or the amounts are lower bounds.
    pub fn roofline(&self) -> Option<(Bound, f64)> {
        // With more operations than are known, the limit could be another one.
        let is_known = !self.is_lower_bound;
        let memory = self.of_peak_bytes().filter(|_| is_known && self.bytes > 0).map(|part| (Bound::Memory, part));
        let compute =
            self.of_peak_operations().filter(|_| is_known && self.operations > 0).map(|part| (Bound::Compute, part));
        memory.into_iter().chain(compute).max_by(|(_, a), (_, b)| a.total_cmp(b))
    }

    /// Compares the result with an older one. Differences below `threshold`, such as 0.03, do not count.
    pub fn change(&self, old: &LaunchResult, threshold: f64) -> Option<Change> {
        let pairs = ratio(&old.samples(), &self.samples(), CERTAIN)?;
        // Rounds differ by more than their samples if the machine changes in between. The extreme ratios of the medians
        // of two rounds show by how much.
        let medians = |result: &LaunchResult| -> Vec<f64> {
            result.rounds.iter().filter_map(|round| Some(median(round, CERTAIN)?.value)).collect()
        };
        let (old, new) = (medians(old), medians(self));
        let ratios = || old.iter().flat_map(|old| new.iter().map(move |new| new / old));
        let ratio =
            Estimate { low: ratios().fold(pairs.low, f64::min), high: ratios().fold(pairs.high, f64::max), ..pairs };
        let verdict = if ratio.low > 1.0 + threshold {
            Verdict::Slower
        } else if ratio.high < 1.0 / (1.0 + threshold) {
            Verdict::Faster
        } else {
            Verdict::Unchanged
        };
        Some(Change { ratio, verdict })
    }
}

/// The median of all samples, with an interval that includes the median of each round.
fn overall(rounds: &[Vec<f64>]) -> Option<Estimate> {
    let all = median(&rounds.concat(), CONFIDENCE)?;
    let medians = || rounds.iter().filter_map(|round| Some(median(round, CONFIDENCE)?.value));
    Some(Estimate { low: medians().fold(all.low, f64::min), high: medians().fold(all.high, f64::max), ..all })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use tile_backend::worker::bench::{Measured, Outcome};

    /// A measurement with these times; without times, none.
    pub(crate) fn measured(seconds: Vec<f64>) -> Measured {
        let bench = Bench {
            device: String::new(),
            bytes: 0,
            operations: 0,
            is_open: false,
            most_bytes: None,
            most_operations: None,
            seconds,
        };
        let outcome = if bench.seconds.is_empty() { Outcome::NotRun } else { Outcome::Timed { bench, dropped: false } };
        Measured { outcome, resources: None }
    }

    fn result(rounds: &[&[f64]]) -> LaunchResult {
        let bench = |seconds: &&[f64]| Bench {
            device: "X1".to_string(),
            seconds: seconds.to_vec(),
            bytes: 1000,
            operations: 500,
            is_open: false,
            most_bytes: Some(1000.0),
            most_operations: Some(1000.0),
        };
        let launch = "a.tile @k".to_string();
        LaunchResult::new(launch, "cuda:0".to_string(), rounds.iter().map(bench).collect()).expect("it has samples")
    }

    #[test]
    fn the_interval_includes_every_round() {
        let seconds = result(&[&[1.0, 1.01, 1.02], &[2.0, 2.01, 2.02]]).seconds;
        assert_eq!((seconds.low, seconds.high), (1.0, 2.02));
        let narrow: Vec<f64> = (0..30).map(|index| 1.0 + f64::from(index) / 1000.0).collect();
        let [wide, narrow] = [&[&narrow[..], &[5.0]][..], &[&narrow[..]]].map(|rounds| result(rounds).seconds);
        assert!(narrow.high < 1.03 && wide.high == 5.0);
    }

    #[test]
    fn only_certain_changes_above_the_threshold_count() {
        let old: Vec<f64> = (0..20).map(|index| 1.0 + f64::from(index) / 1000.0).collect();
        let scaled = |factor: f64| old.iter().map(|seconds| seconds * factor).collect::<Vec<f64>>();
        let verdict = |rounds: &[&[f64]]| result(rounds).change(&result(&[&old]), 0.03).map(|change| change.verdict);
        assert_eq!(verdict(&[&scaled(1.1)]), Some(Verdict::Slower));
        assert_eq!(verdict(&[&scaled(0.9)]), Some(Verdict::Faster));
        assert_eq!(verdict(&[&scaled(1.02)]), Some(Verdict::Unchanged), "below the threshold");
        assert_eq!(verdict(&[&scaled(1.1), &scaled(1.0)]), Some(Verdict::Unchanged), "the rounds disagree");
    }

    #[test]
    fn the_roofline_is_the_nearer_limit() {
        assert_eq!(result(&[&[2.0]]).roofline(), Some((Bound::Memory, 0.5)));
        let compute = LaunchResult { operations: 1500, ..result(&[&[2.0]]) };
        assert_eq!(compute.roofline(), Some((Bound::Compute, 0.75)));
        assert_eq!(LaunchResult { bytes: 0, operations: 0, ..compute }.roofline(), None);
    }

    #[test]
    fn files_round_trip_and_others_are_refused() {
        let results = Results::new(vec![result(&[&[1.0, 2.0]])]);
        assert_eq!(Results::parse(&results.text()), Ok(results.clone()));
        let refused = |text: &str| Results::parse(text).expect_err("it is refused");
        assert!(refused("[]").starts_with("not a file of `tile bench`"));
        assert!(refused(r#"{"format": "x", "version": 1}"#).contains("its format is `x`"));
        let newer = results.text().replace("\"version\": 1", "\"version\": 2");
        assert!(refused(&newer).contains("its version is 2"));
        assert!(refused(&results.text().replace("2.0", "0.0")).contains("not positive"));
        assert!(refused(&results.text().replace("\"rounds\"", "\"round\"")).starts_with("malformed"));
    }
}
