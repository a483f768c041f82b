//! Times launches on a target.

use super::arguments::{Arguments, NamedHost};
use super::launches::Group;
use crate::launches::say;
use crate::progress::Bar;
use tile_backend::cuda::bench::Bench;
use tile_backend::worker::bench::Outcome;
use tile_tune::machines::Timer;
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
    let mut timer = Groups { arguments, timer: Timer::new(host), bar: Bar::on_terminal() };
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

/// Times groups.
struct Groups<'a> {
    arguments: &'a Arguments,
    timer: Timer,
    bar: Bar,
}

impl Groups<'_> {
    /// Times the launches of a group. The inner errors are about single launches.
    fn group(&mut self, group: &Group) -> Result<Vec<Result<Bench, String>>, String> {
        let measured = match self.timer.measure(&group.jobs, self.arguments.sampling()) {
            Ok(measured) => measured,
            // Others can have other arguments.
            Err(error) => return Ok(group.jobs.iter().map(|_| Err(error.clone())).collect()),
        };
        let mut results: Vec<Result<Bench, String>> = Vec::new();
        for measured in measured {
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
