//! The search for the fastest variant and hints.
//!
//! The search measures one batch of candidates after another; the first of each batch is the fastest so far. A
//! candidate replaces it only if it is certainly faster in the same rounds, by at least 0.5 %. Since the fastest of
//! many equal candidates looks faster than it is, the last batch measures the winner and the unchanged program anew.

use crate::hints::HintSet;
use crate::space::Space;
use serde::{Deserialize, Serialize};
use tile_backend::cuda::resources::Resources;
use tile_backend::statistics::{CONFIDENCE, Estimate, median, paired_ratio};
use tile_backend::worker::bench::{Measured, Outcome};

/// A variant with hints and compiler options.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Candidate {
    /// The variant, by number.
    pub variant: usize,
    /// The hints that replace those of the variant.
    pub hints: HintSet,
    /// The optimization level, if it is not that of the command.
    pub opt_level: Option<u8>,
}

/// A step of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Stage {
    /// The variants, unchanged.
    Variants,
    /// Combinations of hints of the entry.
    Entry,
    /// Hints of single accesses.
    Accesses,
    /// Combinations of the accesses' hints that helped.
    Combined,
    /// Hints of the entry near the best.
    Near,
    /// Optimization levels.
    Levels,
    /// The winner and the unchanged program, measured anew.
    Final,
}

/// The ratio below which a candidate is faster: a smaller gain is not worth a hint.
const GAIN: f64 = 0.995;

/// Every stage, in order.
pub const STAGES: [Stage; 7] =
    [Stage::Variants, Stage::Entry, Stage::Accesses, Stage::Combined, Stage::Near, Stage::Levels, Stage::Final];

impl Stage {
    /// What is varied, for messages.
    pub fn title(self) -> &'static str {
        match self {
            Stage::Variants => "variants",
            Stage::Entry => "hints of the entry",
            Stage::Accesses => "hints of accesses",
            Stage::Combined => "combinations",
            Stage::Near => "hints near the best",
            Stage::Levels => "optimization levels",
            Stage::Final => "the winner",
        }
    }
}

/// Candidates that are measured in turns. The first is the reference.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Batch {
    /// The stage.
    pub stage: Stage,
    /// The candidates.
    pub candidates: Vec<Candidate>,
}

/// The result of a candidate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Trial {
    /// How it went.
    pub result: TrialResult,
    /// The resources of its code, on a GPU.
    pub resources: Option<Resources>,
}

/// How the trial of a candidate went.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum TrialResult {
    /// It was timed.
    Timed {
        /// The median time in seconds.
        seconds: Estimate,
        /// The ratio of its time to that of the reference in the same rounds.
        ratio: Estimate,
        /// The number of samples.
        samples: usize,
        /// Whether it was dropped early, because it is certainly slower than another one.
        dropped: bool,
    },
    /// Its code is that of another candidate of the batch, by number.
    Same(usize),
    /// It cannot be compiled.
    Refused(String),
    /// It failed.
    Failed(String),
    /// Its results are wrong.
    Wrong(String),
    /// It was not run.
    NotRun,
}

/// The trials of a batch, from what was measured.
pub fn trials(measured: Vec<Measured>) -> Vec<Trial> {
    let times = |outcome: &Outcome| match outcome {
        Outcome::Timed { bench, .. } => bench.seconds.clone(),
        _ => Vec::new(),
    };
    let reference = measured.first().map(|first| times(&first.outcome)).unwrap_or_default();
    let trial = |Measured { outcome, resources }| {
        let seconds = times(&outcome);
        let estimates = median(&seconds, CONFIDENCE).zip(paired_ratio(&reference, &seconds, CONFIDENCE));
        let result = match (outcome, estimates) {
            (Outcome::Timed { dropped, .. }, Some((median, ratio))) => {
                TrialResult::Timed { seconds: median, ratio, samples: seconds.len(), dropped }
            }
            (Outcome::Timed { .. } | Outcome::NotRun, _) => TrialResult::NotRun,
            (Outcome::Same(other), _) => TrialResult::Same(other),
            (Outcome::Refused(why), _) => TrialResult::Refused(why),
            (Outcome::Failed(why), _) => TrialResult::Failed(why),
            (Outcome::Wrong(why), _) => TrialResult::Wrong(why),
        };
        Trial { result, resources }
    };
    measured.into_iter().map(trial).collect()
}

/// The state of a search.
pub struct Search {
    /// The hints of each variant.
    spaces: Vec<Space>,
    /// The highest optimization level to try; `None` if none is.
    levels: Vec<u8>,
    /// The index of the next stage.
    next: usize,
    best: Candidate,
    /// Changes of single accesses that are certainly faster, the fastest first.
    helpful: Vec<HintSet>,
    /// The finished batches with their trials.
    finished: Vec<(Batch, Vec<Trial>)>,
}

impl Search {
    /// A search over variants with these hints. The first variant is the unchanged program.
    pub fn new(spaces: Vec<Space>, levels: Vec<u8>) -> Search {
        Search { spaces, levels, next: 0, best: Candidate::default(), helpful: Vec::new(), finished: Vec::new() }
    }

    /// The fastest candidate so far.
    pub fn best(&self) -> &Candidate {
        &self.best
    }

    /// The finished batches with their trials.
    pub fn finished(&self) -> &[(Batch, Vec<Trial>)] {
        &self.finished
    }

    /// The next batch; `None` at the end.
    pub fn next_batch(&mut self) -> Option<Batch> {
        loop {
            let stage = *STAGES.get(self.next)?;
            self.next += 1;
            let reference = if stage == Stage::Final { Candidate::default() } else { self.best.clone() };
            let mut candidates = vec![reference];
            for candidate in self.candidates(stage) {
                if !candidates.contains(&candidate) {
                    candidates.push(candidate);
                }
            }
            // A batch of one candidate is only of use if nothing else was measured.
            if candidates.len() > 1 || (stage == Stage::Final && self.finished.is_empty()) {
                return Some(Batch { stage, candidates });
            }
        }
    }

    fn candidates(&self, stage: Stage) -> Vec<Candidate> {
        let best = &self.best;
        let space = &self.spaces[best.variant];
        let hints = |sets: Vec<HintSet>| -> Vec<Candidate> {
            sets.into_iter().map(|hints| Candidate { hints, ..best.clone() }).collect()
        };
        match stage {
            Stage::Variants => {
                (0..self.spaces.len()).map(|variant| Candidate { variant, ..Candidate::default() }).collect()
            }
            Stage::Entry => hints(space.coarse()),
            Stage::Accesses => hints(space.of_accesses().iter().map(|change| best.hints.with(change)).collect()),
            Stage::Combined => {
                let mut combined = best.hints.clone();
                let sets = self.helpful.iter().map(|change| {
                    combined = combined.with(change);
                    combined.clone()
                });
                hints(sets.collect())
            }
            Stage::Near => hints(space.near(&best.hints)),
            Stage::Levels => {
                self.levels.iter().map(|&level| Candidate { opt_level: Some(level), ..best.clone() }).collect()
            }
            Stage::Final => vec![best.clone()],
        }
    }

    /// Takes the trials of the last batch.
    pub fn report(&mut self, batch: Batch, trials: Vec<Trial>) {
        let ratio = |trial: &Trial| match &trial.result {
            TrialResult::Timed { ratio, dropped: false, .. } => Some(*ratio),
            _ => None,
        };
        let faster = batch.candidates.iter().zip(&trials).skip(1);
        let faster =
            faster.filter_map(|(candidate, trial)| Some((candidate, ratio(trial).filter(|it| it.high < GAIN)?)));
        let mut faster: Vec<(&Candidate, Estimate)> = faster.collect();
        faster.sort_by(|(_, a), (_, b)| a.value.total_cmp(&b.value));
        if batch.stage == Stage::Accesses {
            self.helpful = faster.iter().map(|(candidate, _)| candidate.hints.clone()).collect();
        }
        let is_reference_good = trials.first().is_some_and(|trial| ratio(trial).is_some());
        if batch.stage == Stage::Final {
            // A gain that does not last is none.
            let lasts = faster.iter().any(|(candidate, _)| **candidate == self.best);
            if is_reference_good && !lasts && self.best != Candidate::default() {
                self.best = Candidate::default();
            }
        } else if let Some((_, fastest)) = faster.first() {
            // Of those that can hardly be told apart, the one with the fewest hints: the others have hints without
            // effect.
            let alike = faster.iter().filter(|(_, ratio)| ratio.value <= fastest.high);
            let simplest = alike.min_by_key(|(candidate, _)| candidate.hints.len());
            self.best = simplest.map_or_else(Candidate::default, |(candidate, _)| (*candidate).clone());
        }
        self.finished.push((batch, trials));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hints::Setting;
    use tile_launch::random::uniform;

    /// Runs a search on a program with a load, and with these times of candidates.
    fn found(variants: usize, time: impl Fn(&Candidate) -> f64) -> (Candidate, Vec<Stage>, u64) {
        let space =
            crate::space::tests::space("sm_90", "%t, %k = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token");
        let mut search = Search::new(vec![space; variants], vec![1, 2]);
        let (mut stages, mut count) = (Vec::new(), 0);
        while let Some(batch) = search.next_batch() {
            let mut measured = Vec::new();
            for candidate in &batch.candidates {
                // Most of the noise is the same for all candidates in a round.
                let noise = |round| uniform(0.0, 0.05, 1, round) + uniform(0.0, 0.01, 2, 100 * count + round);
                let seconds = (0..20).map(|round| time(candidate) * (1.0 + noise(round)));
                measured.push(crate::results::tests::measured(seconds.collect()));
                count += 1;
            }
            stages.push(batch.stage);
            search.report(batch, trials(measured));
        }
        (search.best().clone(), stages, count)
    }

    #[test]
    fn the_best_combination_is_found() {
        let time = |candidate: &Candidate| {
            let entry = |name: &str| candidate.hints.entry.get(name).copied();
            let load = candidate.hints.accesses.values().next().and_then(|settings| settings.get("latency").copied());
            let occupancy = if entry("occupancy") == Some(Setting::Int(3)) { 0.8 } else { 1.0 };
            let near = if entry("occupancy") == Some(Setting::Int(2)) { 0.9 } else { 1.0 };
            let clusters = if entry("num_cta_in_cga") == Some(Setting::Int(2)) { 0.9 } else { 1.0 };
            let latency = if load == Some(Setting::Int(8)) { 0.9 } else { 1.0 };
            let variant = if candidate.variant == 1 { 0.7 } else { 1.0 };
            occupancy * near * clusters * latency * variant
        };
        let (best, stages, count) = found(2, time);
        let entry: Vec<String> = best.hints.entry.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        assert_eq!(entry, ["num_cta_in_cga = 2", "occupancy = 3"]);
        assert_eq!((best.variant, best.hints.accesses.len(), best.opt_level), (1, 1, None));
        assert_eq!(stages.last(), Some(&Stage::Final));
        assert!(count < 150, "{count}");
    }

    #[test]
    fn nothing_is_changed_without_a_certain_gain() {
        let (best, stages, _) = found(1, |_| 1.0);
        assert_eq!((best, stages.contains(&Stage::Combined)), (Candidate::default(), false));
    }

    #[test]
    fn a_gain_of_less_than_half_a_percent_is_none() {
        let series = |time: f64| crate::results::tests::measured(vec![time; 20]);
        let winner = |time: f64| {
            let (mut search, candidate) =
                (Search::new(Vec::new(), Vec::new()), |level| Candidate { opt_level: level, ..Candidate::default() });
            let batch = Batch { stage: Stage::Levels, candidates: vec![candidate(None), candidate(Some(1))] };
            search.report(batch, trials(vec![series(1.0), series(time)]));
            search.best().opt_level
        };
        assert_eq!((winner(0.999), winner(0.99)), (None, Some(1)));
    }

    #[test]
    fn the_trial_of_a_candidate_is_relative_to_the_reference() {
        let measured = [vec![1.0, 2.0, 3.0], vec![2.0, 4.0, 6.0], vec![]].map(crate::results::tests::measured);
        let all = trials(measured.to_vec());
        let TrialResult::Timed { ratio, samples, .. } = &all[1].result else { panic!("{all:?}") };
        assert_eq!((ratio.low, ratio.high, *samples), (2.0, 2.0, 3));
        assert_eq!(all[2].result, TrialResult::NotRun);
    }
}
