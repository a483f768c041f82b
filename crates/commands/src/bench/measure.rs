//! Times launches on targets.

use super::arguments::{Arguments, NamedHost};
use super::launches::Group;
use crate::interrupt;
use crate::screen::Screen;
use std::panic::resume_unwind;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use tile_backend::cuda::bench::Bench;
use tile_backend::worker::Start;
use tile_backend::worker::bench::{Measured, Outcome};
use tile_tune::machines::{Machines, Update};
use tile_tune::results::LaunchResult;
use tile_tune::tuning::Watcher;

/// The results on a target.
pub(super) struct OnTarget {
    pub(super) results: Vec<LaunchResult>,
    /// The exit status.
    pub(super) status: u8,
}

/// Times all groups on all targets. Those of one launcher can be on one machine, and are timed one after the other; the
/// others at the same time, because a launcher can wait in a queue.
pub(super) fn all(arguments: &Arguments, groups: &[Group]) -> Vec<OnTarget> {
    let screen = Mutex::new(Screen::on_terminal());
    let mut launchers: Vec<(Start, Vec<usize>)> = Vec::new();
    for (index, named) in arguments.target.iter().enumerate() {
        let start = arguments.launcher.before(&named.host).start;
        match launchers.iter_mut().find(|(known, _)| *known == start) {
            Some((_, targets)) => targets.push(index),
            None => launchers.push((start, vec![index])),
        }
    }
    let on = |index: usize| (index, Timing::new(arguments, &arguments.target[index], groups, &screen).run());
    let mut all: Vec<(usize, OnTarget)> = thread::scope(|scope| {
        let running: Vec<_> = launchers
            .into_iter()
            .map(|(_, targets)| scope.spawn(move || targets.into_iter().map(on).collect::<Vec<_>>()))
            .collect();
        let joined = running.into_iter().map(|launcher| launcher.join().unwrap_or_else(|panic| resume_unwind(panic)));
        joined.flatten().collect()
    });
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, timed)| timed).collect()
}

/// Times groups on a target.
struct Timing<'a> {
    arguments: &'a Arguments,
    target: &'a NamedHost,
    groups: &'a [Group],
    screen: &'a Mutex<Screen>,
    /// The launches of each group.
    launches: Vec<Vec<Launch>>,
}

/// The times of a launch.
struct Launch {
    title: String,
    rounds: Vec<Bench>,
    has_failed: bool,
}

impl<'a> Timing<'a> {
    fn new(
        arguments: &'a Arguments,
        target: &'a NamedHost,
        groups: &'a [Group],
        screen: &'a Mutex<Screen>,
    ) -> Timing<'a> {
        let launch = |title: &String| Launch { title: title.clone(), rounds: Vec::new(), has_failed: false };
        let launches = groups.iter().map(|group| group.titles.iter().map(launch).collect()).collect();
        Timing { arguments, target, groups, screen, launches }
    }

    fn run(mut self) -> OnTarget {
        let mut machines = Machines::new(vec![self.arguments.launcher.before(&self.target.host)]);
        let stopper = machines.stopper();
        interrupt::before_end(move || stopper.stop());
        let lost = self.rounds(&mut machines);
        // A signal has stopped the measurements.
        interrupt::hold();
        let wanted = self.arguments.rounds.get() as usize;
        let launches: Vec<Launch> = self.launches.drain(..).flatten().collect();
        let has_failed = launches.iter().any(|launch| launch.has_failed);
        let timed: Vec<Launch> = launches.into_iter().filter(|launch| !launch.has_failed).collect();
        if let Err(error) = &lost {
            let missing = timed.iter().filter(|launch| launch.rounds.len() < wanted).count();
            let all = timed.len();
            let name = &self.target.name;
            self.screen().step(format!("error: {missing} of {all} launches lack rounds on `{name}`: {error}"));
        }
        let result = |launch: Launch| LaunchResult::new(launch.title, self.target.name.clone(), launch.rounds);
        let status = if lost.is_err() { 2 } else { u8::from(has_failed) };
        OnTarget { results: timed.into_iter().filter_map(result).collect(), status }
    }

    /// Times all rounds. The error is that the target is lost.
    fn rounds(&mut self, machines: &mut Machines) -> Result<(), String> {
        for round in 0..self.arguments.rounds.get() {
            for (index, group) in self.groups.iter().enumerate() {
                if self.launches[index].iter().all(|launch| launch.has_failed) {
                    continue;
                }
                let title = &group.titles[0];
                let on = self.prefix();
                self.screen().progress(format!("{on}round {} of {}: {title}", round + 1, self.arguments.rounds));
                let measured = machines.time(&group.jobs, self.arguments.sampling(), &mut |update| {
                    if let Update::Host(host, event) = update {
                        self.screen().host(&host, &event);
                    }
                });
                match measured {
                    Err(error) if machines.are_gone() => return Err(error),
                    measured => self.add(index, measured),
                }
            }
        }
        Ok(())
    }

    /// Adds a round of a group. The error is about its arguments; those of others can differ.
    fn add(&mut self, group: usize, measured: Result<Vec<Measured>, String>) {
        let count = self.launches[group].len();
        let outcomes = match measured {
            Ok(measured) => benches(measured),
            Err(error) => vec![Err(error); count],
        };
        for (index, outcome) in outcomes.into_iter().enumerate() {
            let launch = &mut self.launches[group][index];
            match outcome.and_then(|bench| launch.on_same_device(bench)) {
                Ok(bench) => launch.rounds.push(bench),
                Err(_) if launch.has_failed => {}
                Err(reason) => {
                    launch.has_failed = true;
                    let message = format!("{}: {reason}", launch.title);
                    let on = self.prefix();
                    self.screen().step(on + &message);
                }
            }
        }
    }

    /// The target for messages, if there are several.
    fn prefix(&self) -> String {
        if self.arguments.target.len() == 1 { String::new() } else { format!("{}: ", self.target.name) }
    }

    fn screen(&self) -> MutexGuard<'a, Screen> {
        self.screen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Launch {
    /// A round of this launch, which must be on the device of the others: a launcher can start workers on several
    /// machines.
    fn on_same_device(&self, bench: Bench) -> Result<Bench, String> {
        match self.rounds.first() {
            Some(first) if first.device != bench.device => {
                let (first, other) = (&first.device, &bench.device);
                Err(format!("its rounds were on different devices: {first}, and then {other}"))
            }
            _ => Ok(bench),
        }
    }
}

/// The results of the launches of a group, or why one has none.
fn benches(measured: Vec<Measured>) -> Vec<Result<Bench, String>> {
    let mut results: Vec<Result<Bench, String>> = Vec::new();
    let not_run = || Err("it was not run, because another launch of its group failed".to_string());
    for measured in measured {
        results.push(match measured.outcome {
            Outcome::Timed { bench, .. } => Ok(bench),
            // The same code on the same arguments.
            Outcome::Same(other) => results.get(other).cloned().unwrap_or_else(not_run),
            Outcome::Refused(reason) | Outcome::Failed(reason) | Outcome::Wrong(reason) => Err(reason),
            Outcome::NotRun => not_run(),
        });
    }
    results
}
