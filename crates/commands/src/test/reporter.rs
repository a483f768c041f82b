//! Reporting the results of launches.

use super::annotations;
use super::arguments::Format;
use super::queue::Item;
use crate::host_events::HostReporter;
use crate::launches::{self, Program};
use crate::limit::{Audience, Limit};
use crate::messages::fail;
use crate::progress::Bar;
use crate::style::{self, Tone};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::time::Duration;
use tile_analysis::render::escape;
use tile_backend::worker::{Host, HostEvent, Outcome, Report, WorkerError};
use tile_launch::Launch;

/// Reports each launch on standard output in one line, followed by its failures. Errors of the command itself go to
/// standard error.
pub(super) struct Reporter {
    format: Format,
    limit: Limit,
    /// Whether there was nothing to run, without `--allow-empty`.
    empty: bool,
    passed: usize,
    failed: usize,
    /// Number of launches that the target cannot run.
    skipped: usize,
    unreadable: usize,
    /// Number of launches that were not run, because no host was left.
    not_run: usize,
    /// The hosts, and whether the report names them: there are several.
    hosts: HostReporter,
    has_hosts: bool,
    /// Whether a launch could not be run for a reason other than the program, such as a missing driver.
    setup_failed: bool,
    /// The progress line, which shows the number of finished launches.
    bar: Bar,
}

/// Writes a line to standard output.
fn line(text: impl std::fmt::Display) -> io::Result<()> {
    writeln!(io::stdout(), "{}", escape(&text.to_string()))
}

impl Reporter {
    pub(super) fn new(format: Format, limit: Limit, slots: &[Host]) -> Reporter {
        let reporter = Reporter {
            format,
            limit,
            empty: false,
            passed: 0,
            failed: 0,
            skipped: 0,
            unreadable: 0,
            not_run: 0,
            hosts: HostReporter::new(["launch", "launches"]),
            has_hosts: slots.iter().any(|host| host != &slots[0]),
            setup_failed: false,
            bar: Bar::on_terminal(),
        };
        reporter.show_progress();
        reporter
    }

    fn show_progress(&self) {
        self.bar.stage(Some(format!("{} launches done", self.passed + self.failed + self.skipped)));
    }

    pub(super) fn status(&self) -> u8 {
        if self.unreadable > 0 || self.not_run > 0 || self.setup_failed || self.empty {
            2
        } else {
            u8::from(self.failed > 0)
        }
    }

    /// Reports an event on a host.
    pub(super) fn report_host(&mut self, host: &Host, event: &HostEvent) {
        let _aside = self.bar.aside();
        self.hosts.report(host, event);
    }

    /// Counts and reports the outcome of an item.
    pub(super) fn report(&mut self, item: &Item, outcome: &Outcome) -> io::Result<()> {
        let report = match outcome {
            Outcome::Ended { result: Ok(report), .. } => Some(report),
            _ => None,
        };
        match item {
            Item::Unreadable(_) => self.unreadable += 1,
            Item::Launch { .. } if matches!(outcome, Outcome::NotRun) => self.not_run += 1,
            Item::Launch { .. } if report.is_some_and(|report| report.passed()) => self.passed += 1,
            Item::Launch { .. } if report.is_some_and(|report| report.skipped.is_some()) => self.skipped += 1,
            Item::Launch { .. } | Item::Refused { .. } => self.failed += 1,
        }
        self.setup_failed |= report.is_some_and(|report| report.setup_problem().is_some());
        self.show_progress();
        let _aside = self.bar.aside();
        match self.format {
            Format::Text => self.text(item, outcome),
            Format::JsonLines => line(self.json_of(item, outcome)),
            Format::Github => {
                annotations::of(item, outcome, &self.on_host(outcome), self.limit).iter().try_for_each(line)
            }
        }
    }

    /// Reports the totals.
    pub(super) fn finish(&mut self, filters: &[String], allow_empty: bool) -> io::Result<()> {
        let Reporter { passed, failed, skipped, unreadable, not_run, .. } = *self;
        let launches = passed + failed + skipped + not_run;
        self.empty = launches + unreadable == 0 && !allow_empty;
        if self.format == Format::JsonLines {
            return line(json!({
                "event": "done", "passed": passed, "failed": failed, "skipped": skipped, "unreadable": unreadable,
                "not_run": not_run,
            }));
        }
        if launches == 0 && filters.is_empty() && unreadable == 0 {
            launches::say("nothing to run: no entry has a launch directive (`//@ launch`)");
        }
        if launches == 0 && !filters.is_empty() {
            let filters: Vec<String> = filters.iter().map(|filter| format!("`{filter}`")).collect();
            launches::say(format_args!("no launch matches {}", filters.join(" or ")));
        }
        if launches > 0 || unreadable == 0 {
            let tone = if failed + not_run > 0 { Tone::Bad } else { Tone::Good };
            let others = [(skipped, "skipped"), (not_run, "not run")].into_iter().filter(|(count, _)| *count > 0);
            let others: String = others.map(|(count, what)| format!(", {count} {what}")).collect();
            toned_line(tone, &format!("{passed} passed, {failed} failed"), &others)?;
        }
        Ok(())
    }
}

/// Writes a line that begins with a colored word.
fn toned_line(tone: Tone, word: &str, rest: &str) -> io::Result<()> {
    let mut out = style::output();
    style::toned(&mut out, tone, word)?;
    writeln!(out, "{rest}")
}

/// Writes the line of a failed item.
fn failed(text: impl std::fmt::Display) -> io::Result<()> {
    toned_line(Tone::Bad, "FAIL", &format!(" {text}"))
}

impl Reporter {
    /// Names the host on which a launch ran, if there are several.
    fn on_host(&self, outcome: &Outcome) -> String {
        match outcome {
            Outcome::Ended { host, .. } if self.has_hosts => format!(" on `{host}`"),
            _ => String::new(),
        }
    }

    /// Writes the outcome of an item as text.
    fn text(&self, item: &Item, outcome: &Outcome) -> io::Result<()> {
        match (item, outcome) {
            (Item::Unreadable(problem), _) => {
                fail(problem);
                Ok(())
            }
            (Item::Refused { program, title, reasons }, _) => {
                failed(title)?;
                program.report(reasons, self.limit, &mut style::output())
            }
            (Item::Launch { program, title, .. }, Outcome::Ended { result, .. }) => {
                self.launch_text(program, title, &self.on_host(outcome), result)
            }
            (Item::Launch { title, .. }, Outcome::NotRun | Outcome::NoJob) => {
                toned_line(Tone::Bad, "not run", &format!(" {title}"))
            }
        }
    }

    fn launch_text(
        &self,
        program: &Program,
        title: &str,
        on_host: &str,
        result: &Result<Box<Report>, WorkerError>,
    ) -> io::Result<()> {
        match result {
            Ok(report) if report.passed() => {
                let seconds = Duration::from_secs_f64(report.seconds);
                toned_line(Tone::Good, "ok", &format!("   {title} ({seconds:.1?})"))
            }
            Ok(report) => {
                if let Some(reason) = &report.skipped {
                    return line(format_args!("skip {title}: {reason}"));
                }
                if let Some(problem) = report.setup_problem() {
                    let reported = launches::with_help(&problem.message, problem.notes.first());
                    return failed(format_args!("{title}{on_host}: {reported}"));
                }
                failed(format_args!("{title}{on_host}"))?;
                show(program, report, self.limit)
            }
            Err(error) => failed(format_args!("{title}{on_host}: {error}")),
        }
    }

    /// Converts the outcome of an item to JSON.
    fn json_of(&self, item: &Item, outcome: &Outcome) -> Value {
        match item {
            Item::Unreadable(problem) => json!({"event": "unreadable", "message": problem}),
            Item::Refused { program, title, reasons } => {
                let file = &program.file.name;
                let shown = self.limit.cut(reasons, Audience::Program, file).diagnostics;
                let reasons: Vec<Value> = shown.into_iter().map(|reason| program.diagnostic_json(reason)).collect();
                json!({"event": "refused", "file": file, "title": title, "passed": false, "findings": reasons})
            }
            Item::Launch { program, entry, launch, .. } => self.launch_json(program, entry, launch, outcome),
        }
    }

    fn launch_json(&self, program: &Program, entry: &str, launch: &Launch, outcome: &Outcome) -> Value {
        let mut event = json!({
            "event": "launch", "file": program.file.name, "entry": entry, "launch": launch.name,
            "row": program.row(launch.range.start as u32), "passed": false,
        });
        match outcome {
            Outcome::Ended { host, tries, result } => {
                if self.has_hosts {
                    event["host"] = host.to_string().into();
                }
                if *tries > 1 {
                    event["tries"] = (*tries).into();
                }
                add_result(&mut event, program, result);
            }
            Outcome::NotRun | Outcome::NoJob => event["not_run"] = true.into(),
        }
        event
    }
}

/// Adds the result of a launch to its event.
fn add_result(event: &mut Value, program: &Program, result: &Result<Box<Report>, WorkerError>) {
    match result {
        Ok(report) => {
            let findings = report.findings.iter().map(|found| program.diagnostic_json(&launches::diagnostic(found)));
            event["passed"] = report.passed().into();
            if let Some(reason) = &report.skipped {
                event["skipped"] = reason.as_str().into();
            }
            event["blocks"] = report.blocks.into();
            event["seconds"] = report.seconds.into();
            event["findings"] = findings.collect();
            event["expectations"] = report.verdicts.iter().map(|verdict| program.verdict_json(verdict)).collect();
        }
        Err(error) => event["error"] = error.to_string().into(),
    }
}

fn show(program: &Program, report: &Report, limit: Limit) -> io::Result<()> {
    let found: Vec<_> = report.findings.iter().map(launches::diagnostic).collect();
    program.report(&found, limit, &mut style::output())?;
    let failed = report.verdicts.iter().filter(|verdict| !verdict.passed);
    failed
        .map(|verdict| program.verdict_text(verdict))
        .try_for_each(|text| line(format_args!("     {}", text.replace('\n', "\n     "))))
}
