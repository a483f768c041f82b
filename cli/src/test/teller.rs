//! Telling what came of the launches.

use super::queue::Item;
use crate::fail;
use crate::launches::{self, Program};
use crate::progress::Bar;
use crate::run::Format;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::time::Duration;
use tile_analysis::render::escape;
use tile_backend::launch::Launch;
use tile_backend::worker::{Report, WorkerError};

/// Tells what came of each launch on standard output, one line each; what was found wrong in a program as `tile run`
/// does. As JSON, everything goes to standard output.
pub(super) struct Teller {
    format: Format,
    passed: usize,
    failed: usize,
    unreadable: usize,
    /// Whether a launch could not be carried out for want of something else than the program.
    hindered: bool,
    /// What shows on a terminal how many launches have run.
    bar: Bar,
}

/// Writes a line to standard output.
fn line(text: impl std::fmt::Display) -> io::Result<()> {
    writeln!(io::stdout(), "{}", escape(&text.to_string()))
}

impl Teller {
    pub(super) fn new(format: Format) -> Teller {
        let teller = Teller { format, passed: 0, failed: 0, unreadable: 0, hindered: false, bar: Bar::on_terminal() };
        teller.show_progress();
        teller
    }

    fn show_progress(&self) {
        self.bar.stage(Some(format!("{} launches done", self.passed + self.failed)));
    }

    pub(super) fn status(&self) -> u8 {
        if self.unreadable > 0 || self.hindered { 2 } else { u8::from(self.failed > 0) }
    }

    /// Counts an item and tells what came of it.
    pub(super) fn tell(&mut self, item: &Item, outcome: Option<Result<Report, WorkerError>>) -> io::Result<()> {
        let outcome = outcome.unwrap_or_else(|| Err(WorkerError::Talk(io::Error::other("there was no job"))));
        match item {
            Item::Unreadable(_) => self.unreadable += 1,
            Item::Launch { .. } if outcome.as_ref().is_ok_and(Report::passed) => self.passed += 1,
            Item::Launch { .. } | Item::Refused { .. } => self.failed += 1,
        }
        self.hindered |= outcome.as_ref().is_ok_and(|report| report.obstacle().is_some());
        self.show_progress();
        let _aside = self.bar.aside();
        match self.format {
            Format::Text => text(item, &outcome),
            Format::JsonLines => line(json_of(item, &outcome)),
        }
    }

    /// Tells the sum of it all.
    pub(super) fn finish(&self, filters: &[String]) -> io::Result<()> {
        let Teller { passed, failed, unreadable, .. } = *self;
        if self.format == Format::JsonLines {
            return line(json!({"event": "done", "passed": passed, "failed": failed, "unreadable": unreadable}));
        }
        if passed + failed == 0 && !filters.is_empty() {
            let filters: Vec<String> = filters.iter().map(|filter| format!("`{filter}`")).collect();
            launches::say(format_args!("no launch has {} in its line", filters.join(" or ")));
        }
        if passed + failed > 0 || unreadable == 0 {
            line(format_args!("{passed} passed, {failed} failed"))?;
        }
        Ok(())
    }
}

/// What an item came to, as text.
fn text(item: &Item, outcome: &Result<Report, WorkerError>) -> io::Result<()> {
    match (item, outcome) {
        (Item::Unreadable(problem), _) => {
            fail(problem);
            Ok(())
        }
        (Item::Refused { program, title, reasons }, _) => {
            line(format_args!("FAIL {title}"))?;
            reasons.iter().for_each(|reason| program.show(reason));
            Ok(())
        }
        (Item::Launch { title, .. }, Ok(report)) if report.passed() => {
            line(format_args!("ok   {title} ({:.1?})", Duration::from_secs_f64(report.seconds)))
        }
        (Item::Launch { program, title, .. }, Ok(report)) => {
            if let Some(obstacle) = report.obstacle() {
                let told = launches::with_help(&obstacle.message, obstacle.notes.first());
                return line(format_args!("FAIL {title}: {told}"));
            }
            line(format_args!("FAIL {title}"))?;
            show(program, report)
        }
        (Item::Launch { title, .. }, Err(error)) => line(format_args!("FAIL {title}: {error}")),
    }
}

/// What an item came to, as JSON.
fn json_of(item: &Item, outcome: &Result<Report, WorkerError>) -> Value {
    match item {
        Item::Unreadable(problem) => json!({"event": "unreadable", "message": problem}),
        Item::Refused { program, title, reasons } => {
            let reasons: Vec<Value> = reasons.iter().map(|reason| program.diagnostic_json(reason)).collect();
            let file = &program.file.name;
            json!({"event": "refused", "file": file, "title": title, "passed": false, "findings": reasons})
        }
        Item::Launch { program, entry, launch, .. } => launch_json(program, entry, launch, outcome),
    }
}

fn launch_json(program: &Program, entry: &str, launch: &Launch, outcome: &Result<Report, WorkerError>) -> Value {
    let mut event = json!({
        "event": "launch", "file": program.file.name, "entry": entry, "launch": launch.name,
        "row": program.row(launch.range.start as u32), "passed": false,
    });
    match outcome {
        Ok(report) => {
            let findings = report.findings.iter().map(|found| program.diagnostic_json(&launches::diagnostic(found)));
            event["passed"] = report.passed().into();
            event["blocks"] = report.blocks.into();
            event["seconds"] = report.seconds.into();
            event["findings"] = findings.collect();
            event["expectations"] = report.verdicts.iter().map(|verdict| program.verdict_json(verdict)).collect();
        }
        Err(error) => event["error"] = error.to_string().into(),
    }
    event
}

fn show(program: &Program, report: &Report) -> io::Result<()> {
    report.findings.iter().for_each(|found| program.show(&launches::diagnostic(found)));
    let failed = report.verdicts.iter().filter(|verdict| !verdict.passed);
    failed
        .map(|verdict| program.verdict_text(verdict))
        .try_for_each(|text| line(format_args!("     {}", text.replace('\n', "\n     "))))
}
