//! Times launches on a target.

use super::arguments::{Arguments, NamedHost};
use super::launches::Group;
use crate::launches::say;
use crate::progress::Bar;
use tile_backend::cuda::bench::Bench;
use tile_backend::worker::bench::{BenchEvent, BenchJob, Outcome};
use tile_backend::worker::{Host, Job, Worker};
use tile_tune::results::LaunchResult;

/// Times all groups on a host, in rounds. Also returns whether a launch failed. The error is about the host.
pub(super) fn on(
    arguments: &Arguments,
    named: &NamedHost,
    groups: &[Group],
) -> Result<(Vec<LaunchResult>, bool), String> {
    let host = arguments.launcher.before(&named.host);
    let titles = || groups.iter().flat_map(|group| group.titles.iter().cloned());
    let mut times: Vec<(String, Vec<Bench>, bool)> = titles().map(|title| (title, Vec::new(), false)).collect();
    let mut timer = Timer { arguments, host, worker: None, bar: Bar::on_terminal() };
    for round in 0..arguments.rounds.get() {
        let mut next = 0;
        for group in groups {
            let own = &mut times[next..next + group.titles.len()];
            next += group.titles.len();
            if own.iter().all(|(_, _, failed)| *failed) {
                continue;
            }
            timer.bar.stage(Some(format!("round {} of {}: {}", round + 1, arguments.rounds, group.titles[0])));
            for ((title, benches, failed), outcome) in own.iter_mut().zip(timer.group(group)?) {
                match outcome {
                    Ok(bench) => benches.push(bench),
                    Err(_) if *failed => {}
                    Err(reason) => {
                        *failed = true;
                        timer.say(&format!(
                            "{}{title}: {reason}",
                            if is_one(arguments) { String::new() } else { format!("{}: ", named.name) }
                        ));
                    }
                }
            }
        }
    }
    let failed = times.iter().any(|(_, _, failed)| *failed);
    let complete = times.into_iter().filter(|(_, _, failed)| !failed);
    Ok((
        complete.filter_map(|(title, benches, _)| LaunchResult::new(title, named.name.clone(), benches)).collect(),
        failed,
    ))
}

fn is_one(arguments: &Arguments) -> bool {
    arguments.target.len() == 1
}

/// Times groups with a worker.
struct Timer<'a> {
    arguments: &'a Arguments,
    host: Host,
    worker: Option<Worker>,
    bar: Bar,
}

impl Timer<'_> {
    /// Times the launches of a group. The inner errors are about single launches.
    fn group(&mut self, group: &Group) -> Result<Vec<Result<Bench, String>>, String> {
        let target = self.host.target;
        let candidates = group.jobs.iter().map(|job| Job { target, ..job.clone() }).collect();
        let job = BenchJob { candidates, sampling: self.arguments.sampling() };
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None => self.host.worker().map_err(|error| error.to_string())?,
        };
        let ignore = |_: BenchEvent| {};
        let report = match worker.bench(&job, ignore) {
            Ok(report) => report?,
            Err(error) => return Ok(group.jobs.iter().map(|_| Err(error.to_string())).collect()),
        };
        self.worker = (!report.ends_worker).then_some(worker);
        let mut results: Vec<Result<Bench, String>> = Vec::new();
        for measured in report.measured {
            results.push(match measured.outcome {
                Outcome::Timed { bench, .. } => Ok(bench),
                // The same code on the same arguments.
                Outcome::Same(other) => results[other].clone(),
                Outcome::Refused(reason) | Outcome::Failed(reason) => Err(reason),
                Outcome::NotRun => Err("it was not run, because another launch of its group failed".to_string()),
            });
        }
        Ok(results)
    }

    fn say(&self, text: &str) {
        let _aside = self.bar.aside();
        say(text);
    }
}
