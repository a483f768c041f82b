//! Runs the launches of a program before and after it is optimized, and compares the results.

use crate::launches::{Program, say};
use std::borrow::Cow;
use tile_backend::worker::{Event, Host, Job, Report, Worker};
use tile_launch::find::EntryLaunches;
use tile_launch::{Arg, Expect, Launch, Spec, bind, name_of};

/// The result of a launch: its findings, the buffers as `.npy` files, and the printed text.
#[derive(PartialEq)]
struct Results {
    findings: Vec<String>,
    buffers: Vec<(String, Vec<u8>)>,
    printed: Vec<u8>,
}

/// Compares all launches. Reports differences and returns the exit status.
pub(super) fn verify(before: &Program, after: &Program, timeout: u64) -> Result<u8, String> {
    let mut workers = [None, None];
    let (mut same, mut different) = (0, 0);
    for (entry, optimized) in before.entries.iter().zip(&after.entries) {
        // Launches for benchmarks can take minutes here.
        for index in entry.tests() {
            let launch = &entry.directives.launches[index];
            let Some(other) = optimized.directives.launches.get(index) else { continue };
            let title = title(entry, index);
            if let Err(reason) = is_comparable(entry, launch) {
                say(format_args!("{title}: not compared: {reason}"));
                continue;
            }
            let [first, second] = &mut workers;
            let expected = results(before, entry, launch, timeout, first)?;
            if let Some(finding) = expected.findings.first() {
                say(format_args!("{title}: not compared: {finding}"));
                continue;
            }
            let found = results(after, optimized, other, timeout, second)?;
            match difference(&expected, &found) {
                None => same += 1,
                Some(difference) => {
                    different += 1;
                    say(format_args!("{title}: {difference}"));
                }
            }
        }
    }
    let launches = |count: usize| format!("{count} launch{}", if count == 1 { "" } else { "es" });
    match (same, different) {
        (0, 0) => say("verified nothing: no launch to run"),
        (_, 0) => say(format_args!("verified: the same results in {}", launches(same))),
        _ => say(format_args!("error: different results in {}", launches(different))),
    }
    Ok(u8::from(different > 0))
}

fn title(entry: &EntryLaunches, index: usize) -> String {
    let name = name_of(&entry.directives.launches, index);
    format!("@{}{}", entry.entry.name, name.map_or(String::new(), |name| format!(" \"{name}\"")))
}

/// Whether a launch can run.
fn is_comparable(entry: &EntryLaunches, launch: &Launch) -> Result<(), Cow<'static, str>> {
    let expected = launch.expects.iter().find_map(|expect| match expect {
        Expect::Error { code, .. } => Some(code),
        _ => None,
    });
    if let Some(code) = expected {
        return Err(format!("it expects {code}").into());
    }
    if let Some(error) = entry.directives.errors_in(launch).next() {
        return Err(error.message.clone().into());
    }
    match bind::misfits(entry.kernels(launch), launch).first() {
        Some(error) => Err(error.message.clone().into()),
        None => Ok(()),
    }
}

/// Runs a launch in `worker`, or in a new worker.
fn results(
    program: &Program,
    entry: &EntryLaunches,
    launch: &Launch,
    timeout: u64,
    worker: &mut Option<Worker>,
) -> Result<Results, String> {
    let mut launch = launch.clone();
    launch.expects.clear();
    let is_buffer = |arg: &&Arg| matches!(arg.spec, Spec::Buffer { .. });
    let save = launch.args.iter().filter(is_buffer).map(|arg| arg.name.clone()).collect();
    let job = program.job(entry, launch).map_err(|error| error.message)?;
    let job = Job { save, timeout_ms: Some(timeout), ..job };
    let mut running = match worker.take() {
        Some(running) => running,
        None => Host::default().worker().map_err(|error| error.to_string())?,
    };
    let mut printed = Vec::new();
    let report = running.run(&job, |event| {
        if let Event::Printed { text, .. } = event {
            printed.extend(text);
        }
    });
    let Report { findings, saved, .. } = report.map_err(|error| error.to_string())?;
    *worker = Some(running);
    let findings = findings.into_iter().map(|found| format!("{}: {}", found.code, found.message)).collect();
    Ok(Results { findings, buffers: saved, printed })
}

/// The first difference.
fn difference(expected: &Results, found: &Results) -> Option<String> {
    if let Some(finding) = found.findings.first() {
        return Some(format!("the optimized program fails: {finding}"));
    }
    let mut pairs = expected.buffers.iter().zip(&found.buffers);
    if let Some(((name, _), _)) = pairs.find(|(expected, found)| expected != found) {
        return Some(format!("`%{name}` differs"));
    }
    (expected.printed != found.printed).then(|| "the printed text differs".to_string())
}
