//! Checks candidates and times them.

use super::agreement::{RUNS, Reference, varies};
use super::cpu::Engine;
use super::gpu::Gpu;
use super::race::{Contestant, race};
use super::runner::{Failure, Runner};
use super::work::{TimedOn, Work};
use super::{BenchEvent, BenchJob, BenchReport, Measured, Outcome};
use crate::worker::compare::Products;
use crate::worker::event_sink::EventSink;
use crate::worker::gpu::Gpus;
use crate::worker::protocol::{Event, Target};
use crate::worker::raw_report::RawReport;
use crate::worker::requests::Requests;
use crate::worker::run::JobRun;
use std::sync::Arc;
use tile_analysis::db::{Database, File};
use tile_analysis::ir::Module;
use tile_analysis::program::Program;
use tile_clock::Instant;
use tile_launch::{Expect, LaunchError, Value, find};
use tile_runner::load;

/// Measures candidates. The error is about the machine or the arguments.
pub(in super::super) fn run(
    bench: &BenchJob,
    gpus: &mut Gpus,
    requests: &Requests,
    events: &mut (dyn FnMut(Event) + Send),
) -> Result<BenchReport, String> {
    let began = Instant::now();
    let db = Database::default();
    let file = |text: &str| File::new(&db, Arc::from(text), load::options());
    let files: Vec<File> = bench.candidates.iter().map(|job| file(&job.text)).collect();
    let programs: Vec<Program<'_>> = files.iter().map(|&file| Program::of(&db, file)).collect();
    let modules: Vec<Module> = programs.iter().map(Program::module).collect();
    let mut runs = Vec::new();
    for (index, job) in bench.candidates.iter().enumerate() {
        let found =
            load::entry(&db, files[index], &job.entry).ok_or_else(|| load::unknown_entry(&job.entry).message)?;
        runs.push(JobRun::new(job, &programs[index], &modules[index], found, began));
    }
    let before = runs.first().ok_or("there are no candidates")?.values().map_err(|error| with_help(&error))?;
    let mut send = |event| events(Event::Bench(event));
    send(BenchEvent::Prepared);
    let tolerances = |(run, &file): (&JobRun<'_>, &File)| -> Vec<Expect> {
        let launches = find::at(&db, file, run.start).map(|entry| entry.directives.launches).unwrap_or_default();
        launches.into_iter().flat_map(|launch| launch.expects).collect()
    };
    let stated = runs.iter().zip(&files).map(tolerances).collect();
    let measurement = Measurement { bench, runs: &runs, before: &before, stated };
    let measured = match bench.candidates[0].target {
        Target::Cpu => measurement.on(&mut Engine { runs: &runs, before: &before, requests }, &mut send),
        Target::Cuda(number) => {
            let mut gpu = Gpu::new(number, gpus, &runs, &before, &mut send).map_err(|error| with_help(&error))?;
            measurement.on(&mut gpu, &mut send)
        }
    };
    Ok(BenchReport { measured, ends_worker: gpus.broken })
}

fn with_help(error: &LaunchError) -> String {
    error.help.iter().fold(error.message.clone(), |message, help| format!("{message}\n  help: {help}"))
}

/// What kernels do, by their program, entry and grid. Hints do not change it, and counting it takes a second for a
/// large grid.
#[derive(Default)]
struct Counted<'a>(Vec<(Key<'a>, Work)>);

/// The path of a program, the name of an entry, and a grid.
type Key<'a> = (&'a str, &'a str, [u32; 3]);

impl<'a> Counted<'a> {
    fn of(&mut self, run: &JobRun<'a>) -> Work {
        let key = (&*run.job.path, &*run.job.entry, run.launch.grid);
        if let Some((_, work)) = self.0.iter().find(|(known, _)| *known == key) {
            return *work;
        }
        let work = run.work();
        self.0.push((key, work));
        work
    }
}

/// The outcome of a contestant. One with too few samples, because another one broke the worker, counts as not run.
fn outcome<'a>(
    run: &JobRun<'a>,
    contestant: Contestant,
    min_samples: u32,
    device: &TimedOn,
    counted: &mut Counted<'a>,
) -> Outcome {
    let Contestant { seconds, failure, dropped } = contestant;
    match failure {
        Some(failure) => Outcome::Failed(failure),
        None if !dropped && seconds.len() < min_samples as usize => Outcome::NotRun,
        None => Outcome::Timed { bench: counted.of(run).timed(device, seconds), dropped },
    }
}

/// The candidates that passed.
#[derive(Default)]
struct Accepted {
    /// The results of the first one without expectations, with which those of others must agree.
    reference: Option<Reference>,
    /// The last one with expectations, by number, with its results.
    checked: Option<(usize, RawReport)>,
}

struct Measurement<'a> {
    bench: &'a BenchJob,
    runs: &'a [JobRun<'a>],
    /// The arguments.
    before: &'a [(String, Value)],
    /// The expectations of all launches of each candidate's entry, which state how precise its results are.
    stated: Vec<Vec<Expect>>,
}

impl Measurement<'_> {
    fn on(&self, runner: &mut dyn Runner, events: &mut (dyn FnMut(BenchEvent) + Send)) -> Vec<Measured> {
        let known = |index| match runner.compiled(index) {
            Ok(resources) => Measured { outcome: Outcome::NotRun, resources },
            Err(outcome) => Measured { outcome, resources: None },
        };
        let mut all: Vec<Measured> = (0..self.runs.len()).map(known).collect();
        events(BenchEvent::Ready(all.clone()));
        let (mut passed, mut can_continue, mut accepted) = (Vec::new(), true, Accepted::default());
        for (index, measured) in all.iter_mut().enumerate() {
            if !can_continue || measured.outcome != Outcome::NotRun {
                continue;
            }
            events(BenchEvent::Running(index));
            let ran = runner.results(index).and_then(|results| {
                events(BenchEvent::Checking(index));
                self.mistake(index, results, &mut accepted, runner, events)
            });
            match ran {
                Ok(None) => passed.push(index),
                Ok(Some(mistake)) => measured.outcome = mistake,
                Err(failure) => {
                    measured.outcome = Outcome::Failed(failure.message);
                    can_continue = failure.can_continue;
                }
            }
        }
        if can_continue {
            let device = runner.device();
            let sample = |index: usize| {
                runner.sample(index).map_err(|Failure { message, can_continue }| (message, can_continue))
            };
            let timed = race(&passed, &self.bench.sampling, sample, &mut *events);
            events(BenchEvent::Timed);
            let mut counted = Counted::default();
            for (&index, contestant) in passed.iter().zip(timed) {
                let least = self.bench.sampling.min_samples;
                all[index].outcome = outcome(&self.runs[index], contestant, least, &device, &mut counted);
            }
        }
        all
    }

    /// What is wrong with the results of a candidate: an expectation of its launch that is not met, or, if there are
    /// none, a difference from the results of the first candidate.
    fn mistake(
        &self,
        index: usize,
        results: RawReport,
        accepted: &mut Accepted,
        runner: &mut dyn Runner,
        events: &mut (dyn FnMut(BenchEvent) + Send),
    ) -> Result<Option<Outcome>, Failure> {
        if let Some(found) = results.found.first() {
            return Ok(Some(Outcome::Failed(found.message.clone())));
        }
        if self.runs[index].launch.expects.is_empty() {
            if let Some(reference) = &accepted.reference {
                return Ok(self.unlike(index, &results, reference).map(Outcome::Wrong));
            }
            accepted.reference = Some(self.reference(index, results, runner, events)?);
            return Ok(None);
        }
        if accepted.checked.as_ref().is_some_and(|(other, known)| self.is_like(index, &results, *other, known)) {
            return Ok(None);
        }
        let mistake = self.unmet(index, &results);
        if mistake.is_none() {
            accepted.checked = Some((index, results));
        }
        Ok(mistake.map(Outcome::Wrong))
    }

    /// The results of a candidate as the reference for others. Runs it again if its results can vary.
    fn reference(
        &self,
        index: usize,
        results: RawReport,
        runner: &mut dyn Runner,
        events: &mut (dyn FnMut(BenchEvent) + Send),
    ) -> Result<Reference, Failure> {
        let mut reference = Reference::new(results.after);
        if self.runs.len() > 1 && varies(self.runs[index].entry) {
            for _ in 0..RUNS {
                // With the time limit of a run.
                events(BenchEvent::Running(index));
                reference.add_run(&runner.results(index)?.after);
            }
        }
        Ok(reference)
    }

    /// Whether results are, bit for bit, those of an accepted candidate of the same entry, which need no other check:
    /// most hints change no result, and the formulas of a large product take seconds.
    fn is_like(&self, index: usize, results: &RawReport, other: usize, known: &RawReport) -> bool {
        let (run, other) = (&self.runs[index], &self.runs[other]);
        run.job.path == other.job.path
            && run.job.entry == other.job.entry
            && run.launch.expects == other.launch.expects
            && results.printed == known.printed
            && results.after == known.after
    }

    /// How results differ from those of the first candidate.
    fn unlike(&self, index: usize, results: &RawReport, reference: &Reference) -> Option<String> {
        let run = &self.runs[index];
        let executions = run.executions();
        let products = Products::of(run.entry, |op| executions[op.0 as usize]);
        reference.difference(&results.after, &self.stated[index], products.as_ref())
    }

    /// The first expectation that is not met.
    fn unmet(&self, index: usize, results: &RawReport) -> Option<String> {
        let run = &self.runs[index];
        let mut ignored = |_| {};
        let sink = EventSink::new(&mut ignored);
        let printed = String::from_utf8_lossy(&results.printed);
        let verdicts = run.judge(self.before, &results.after, &printed, &mut Vec::new(), &sink);
        let failed = verdicts.iter().find(|verdict| !verdict.passed);
        failed.map(|verdict| verdict.summary.clone())
    }
}
