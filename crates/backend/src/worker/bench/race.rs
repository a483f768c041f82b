//! Takes samples in rounds, and drops candidates that are certainly slower than the fastest one.

use super::{BenchEvent, Sampling};
use crate::statistics::{median, paired_ratio};
use std::time::{Duration, Instant};

/// The confidence with which a candidate is slower before it is dropped. It is high, because there are many candidates
/// and many rounds.
const CERTAIN: f64 = 0.99;

/// The rounds before a candidate can be dropped: the fewest with which its ratio has an interval of that confidence.
const MIN_ROUNDS: usize = 8;

/// The shortest time between two events.
const TICK: Duration = Duration::from_millis(100);

/// A candidate in the race.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Contestant {
    /// Its times in seconds, one for each round.
    pub(super) seconds: Vec<f64>,
    /// Why it could not be timed.
    pub(super) failure: Option<String>,
    /// Whether it was dropped because another one is certainly faster.
    pub(super) dropped: bool,
}

impl Contestant {
    fn is_running(&self) -> bool {
        self.failure.is_none() && !self.dropped
    }
}

/// Times candidates in rounds. `sample` runs a candidate once and returns its time in seconds; after an error, it says
/// whether the others can still run. The reference, candidate 0, is never dropped.
pub(super) fn race(
    candidates: &[usize],
    sampling: &Sampling,
    mut sample: impl FnMut(usize) -> Result<f64, (String, bool)>,
    mut events: impl FnMut(BenchEvent),
) -> Vec<Contestant> {
    let mut all = vec![Contestant::default(); candidates.len()];
    let (mut spent, mut reported) = (Duration::ZERO, None::<Instant>);
    for round in 0.. {
        let running: Vec<usize> = (0..all.len()).filter(|&index| all[index].is_running()).collect();
        let per_candidate = spent.as_secs_f64();
        let is_enough = round >= sampling.min_samples && per_candidate >= sampling.seconds;
        if running.is_empty() || round >= sampling.max_samples || is_enough {
            break;
        }
        let began = Instant::now();
        // Each round begins with another candidate, because each one finds the caches as the one before left them.
        for turn in 0..running.len() {
            let index = running[(turn + round as usize) % running.len()];
            // The client waits for each event as long as a run may take, and a round has many runs.
            if reported.is_none_or(|at| at.elapsed() >= TICK) {
                reported = Some(Instant::now());
                events(progress(&all, round));
            }
            match sample(candidates[index]) {
                Ok(seconds) => all[index].seconds.push(seconds),
                Err((failure, can_continue)) => {
                    all[index].failure = Some(failure);
                    if !can_continue {
                        return all;
                    }
                }
            }
        }
        spent += began.elapsed() / running.len() as u32;
        if sampling.drops_slower {
            drop_slower(&mut all);
        }
    }
    all
}

/// The candidate with the lowest median, and that median.
fn fastest(all: &[Contestant]) -> Option<(usize, f64)> {
    let running = all.iter().enumerate().filter(|(_, contestant)| contestant.is_running());
    let medians = running.filter_map(|(index, contestant)| Some((index, median(&contestant.seconds, CERTAIN)?.value)));
    medians.min_by(|(_, a), (_, b)| a.total_cmp(b))
}

fn drop_slower(all: &mut [Contestant]) {
    let Some((fastest, _)) = fastest(all) else { return };
    let best = all[fastest].seconds.clone();
    if best.len() < MIN_ROUNDS {
        return;
    }
    for contestant in all.iter_mut().skip(1).filter(|contestant| contestant.is_running()) {
        contestant.dropped = paired_ratio(&best, &contestant.seconds, CERTAIN).is_some_and(|ratio| ratio.low > 1.0);
    }
}

fn progress(all: &[Contestant], rounds: u32) -> BenchEvent {
    let left = all.iter().filter(|contestant| contestant.is_running()).count();
    BenchEvent::Round { rounds, left, seconds: fastest(all).map(|(_, median)| median) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tile_launch::random::uniform;

    /// Candidates with these times, and noise of a tenth that is mostly the same for all in a round.
    fn timed(times: &[f64], sampling: &Sampling) -> Vec<Contestant> {
        let mut calls = 0;
        let numbers: Vec<usize> = (0..times.len()).collect();
        let sample = |index: usize| {
            let noise = uniform(0.0, 0.1, 1, calls / times.len() as u64) + uniform(0.0, 0.01, 2, calls);
            calls += 1;
            if times[index].is_nan() { Err(("it failed".to_string(), true)) } else { Ok(times[index] * (1.0 + noise)) }
        };
        race(&numbers, sampling, sample, |_| {})
    }

    #[test]
    fn slower_candidates_are_dropped_early_and_equal_ones_are_not() {
        let sampling = Sampling { min_samples: 8, max_samples: 40, seconds: 0.0, drops_slower: true };
        let all = timed(&[2.0, 1.0, 1.05, f64::NAN, 1.0], &Sampling { seconds: 1e9, ..sampling });
        let rounds: Vec<usize> = all.iter().map(|contestant| contestant.seconds.len()).collect();
        assert_eq!((rounds[0], rounds[1], rounds[4]), (40, 40, 40), "the reference and the two fastest");
        assert!(all[2].dropped && rounds[2] < 20, "{rounds:?}");
        assert_eq!((all[3].failure.as_deref(), rounds[3]), (Some("it failed"), 0));
    }

    #[test]
    fn samples_are_taken_until_the_time_is_over() {
        let sampling = Sampling { min_samples: 6, max_samples: 9, seconds: 0.0, drops_slower: false };
        assert_eq!(timed(&[1.0, 3.0], &sampling).iter().map(|it| it.seconds.len()).collect::<Vec<_>>(), [6, 6]);
        let slow = timed(&[1.0, 3.0], &Sampling { seconds: 1e9, ..sampling });
        assert_eq!(slow.iter().map(|it| it.seconds.len()).collect::<Vec<_>>(), [9, 9]);
    }

    #[test]
    fn a_long_round_reports_between_its_samples() {
        let sampling = Sampling { min_samples: 1, max_samples: 1, seconds: 0.0, drops_slower: false };
        let mut events = Vec::new();
        let sample = |_| {
            std::thread::sleep(TICK);
            Ok(1.0)
        };
        race(&[0, 1, 2], &sampling, sample, |event| events.push(event));
        let round = |seconds| BenchEvent::Round { rounds: 0, left: 3, seconds };
        assert_eq!(events, [round(None), round(Some(1.0)), round(Some(1.0))]);
    }

    #[test]
    fn a_failure_that_breaks_the_worker_ends_the_race() {
        let sampling = Sampling::default();
        let all =
            race(&[0, 1], &sampling, |index| if index == 1 { Err(("gone".into(), false)) } else { Ok(1.0) }, |_| {});
        assert_eq!((all[0].seconds.len(), all[1].failure.as_deref()), (1, Some("gone")));
    }
}
