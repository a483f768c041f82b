//! Runs a search on machines.

use crate::device::Device;
use crate::journal::Journal;
use crate::machines::{Machines, Update};
use crate::search::{Batch, STAGES, Search, Stage, Trial, TrialResult};
use crate::space::Space;
use crate::variant::Variant;
use std::time::{Duration, Instant};
use tile_backend::cuda::bench::time;
use tile_backend::worker::bench::{BenchEvent, Sampling};
use tile_backend::worker::{Host, HostEvent, Job};

/// The optimization levels that are tried besides the highest, which is the default.
const LEVELS: [u8; 2] = [2, 1];

/// What to tune, and how.
pub struct Tuning<'a> {
    /// The variants; the first one is the program as it is.
    pub variants: &'a [Variant],
    /// The GPU.
    pub device: &'a Device,
    /// The time for each candidate in seconds.
    pub seconds: f64,
    /// The time after which no further step begins. The first step always runs.
    pub max_time: Option<Duration>,
}

/// Follows a search.
pub trait Watcher: Send {
    /// What is being done, for a line that is replaced by the next one.
    fn progress(&mut self, text: String);
    /// A step is finished, in one line.
    fn step(&mut self, text: String);
    /// Something happened on a host.
    fn host(&mut self, host: &Host, event: &HostEvent);
}

impl Tuning<'_> {
    /// Searches for the fastest candidate. Batches that the journal knows are not measured again.
    pub fn run(
        &self,
        machines: &mut Machines,
        journal: &mut Journal,
        watcher: &mut dyn Watcher,
    ) -> Result<Search, String> {
        let began = Instant::now();
        let architecture = &self.device.architecture;
        let spaces = self.variants.iter().map(|variant| Space::of(&variant.body, architecture, self.device.version));
        let has_level = self.variants.iter().any(|variant| variant.job.compile.opt_level.is_some());
        let levels = if has_level { Vec::new() } else { LEVELS.to_vec() };
        let mut search = Search::new(spaces.collect(), levels);
        let (mut resumed, mut measured) = (0, 0);
        while let Some(batch) = search.next_batch() {
            let is_over = || measured > 0 && self.max_time.is_some_and(|limit| began.elapsed() > limit);
            let trials = match journal.trials(&batch) {
                Some(trials) => {
                    resumed += 1;
                    trials
                }
                None if batch.stage != Stage::Final && is_over() => continue,
                None => {
                    measured += 1;
                    let trials = self.measure(&batch, machines, watcher);
                    let trials = trials.map_err(|error| journal.with_help(error))?;
                    journal.record(&batch, &trials);
                    trials
                }
            };
            watcher.step(summary(&batch, &trials));
            search.report(batch, trials);
        }
        if resumed > 0 {
            let steps = if resumed == 1 { "step was" } else { "steps were" };
            watcher.step(format!("{resumed} {steps} taken from an earlier run"));
        }
        Ok(search)
    }

    fn measure(&self, batch: &Batch, machines: &mut Machines, watcher: &mut dyn Watcher) -> Result<Vec<Trial>, String> {
        let job = |index: usize| {
            let candidate = &batch.candidates[index];
            Some((index, self.variants[candidate.variant].job(candidate, &self.device.architecture)?))
        };
        // Ops in generic form have no place for hints.
        let (indices, jobs): (Vec<usize>, Vec<Job>) = (0..batch.candidates.len()).filter_map(job).unzip();
        let sampling = match batch.stage {
            Stage::Final => Sampling { seconds: 4.0 * self.seconds, min_samples: 20, ..Sampling::default() },
            _ => Sampling { seconds: self.seconds, min_samples: 8, max_samples: 200, drops_slower: true },
        };
        let mut compiled = 0;
        let measured = machines.measure(&jobs, sampling, &mut |update| match update {
            Update::Progress(event) => watcher.progress(shown(batch, &event, jobs.len(), &mut compiled)),
            Update::Host(host, event) => watcher.host(&host, &event),
        })?;
        let unplaced = TrialResult::Refused("an op in generic form has no place for hints".to_string());
        let mut all = vec![Trial { result: unplaced, resources: None }; batch.candidates.len()];
        for (&index, trial) in indices.iter().zip(measured) {
            all[index] = trial;
            if let TrialResult::Same(other) = &mut all[index].result {
                *other = indices[*other];
            }
        }
        Ok(all)
    }
}

/// The progress of a batch, in one line.
fn shown(batch: &Batch, event: &BenchEvent, total: usize, compiled: &mut usize) -> String {
    let step = STAGES.iter().position(|stage| *stage == batch.stage).unwrap_or(0) + 1;
    let head = format!("step {step} of {}: {}", STAGES.len(), batch.stage.title());
    let rest = match event {
        BenchEvent::Prepared => "the buffers are ready".to_string(),
        BenchEvent::Compiled(_) => {
            // Those of a lost worker are compiled again.
            *compiled = total.min(*compiled + 1);
            format!("{compiled} of {total} candidates compiled")
        }
        BenchEvent::Ready(_) => "the candidates are ready".to_string(),
        BenchEvent::Running(index) | BenchEvent::Checking(index) => {
            format!("checking the results of candidate {} of {total}", index + 1)
        }
        BenchEvent::Timed => "timed".to_string(),
        BenchEvent::Round { rounds, left, seconds } => {
            let fastest = seconds.map(|seconds| format!(", the fastest takes {}", time(seconds)));
            format!("round {}, {left} of {total} candidates left{}", rounds + 1, fastest.unwrap_or_default())
        }
    };
    format!("{head}: {rest}")
}

/// One line about a finished batch.
fn summary(batch: &Batch, trials: &[Trial]) -> String {
    let count = |is: &dyn Fn(&TrialResult) -> bool| trials.iter().filter(|trial| is(&trial.result)).count();
    let (same, refused) = (
        count(&|result| matches!(result, TrialResult::Same(_))),
        count(&|result| matches!(result, TrialResult::Refused(_))),
    );
    let failed = count(&|result| matches!(result, TrialResult::Failed(_)));
    let wrong = count(&|result| matches!(result, TrialResult::Wrong(_)));
    let timed = count(&|result| matches!(result, TrialResult::Timed { .. }));
    let ratios = trials.iter().filter_map(|trial| match &trial.result {
        TrialResult::Timed { ratio, dropped: false, .. } => Some(ratio.value),
        _ => None,
    });
    let best = ratios.fold(f64::INFINITY, f64::min);
    let mut line = format!("{}: {timed} timed", batch.stage.title());
    let others =
        [(same, "with the same code as another"), (refused, "not compiled"), (failed, "failed"), (wrong, "wrong")];
    for (count, what) in others {
        if count > 0 {
            line += &format!(", {count} {what}");
        }
    }
    if best.is_finite() {
        line += &format!("; the fastest takes {:.1} % of the time of the best so far", 100.0 * best);
    }
    line
}
