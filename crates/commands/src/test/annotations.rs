//! The failures of launches as annotations of GitHub.

use super::queue::Item;
use crate::launches::{self, Program, named, say, with_help};
use crate::limit::{Audience, Limit};
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::render::{Annotation, Level, Place, Source};
use tile_backend::worker::{Outcome, Report, ReportedFinding, Verdict, WorkerError};
use tile_launch::Launch;

/// Returns a workflow command for each problem of an item, and none if it passed. `on_host` follows the name of a
/// launch.
pub(super) fn of(item: &Item, outcome: &Outcome, on_host: &str, limit: Limit) -> Vec<String> {
    match (item, outcome) {
        (Item::Unreadable(problem), _) => {
            let annotation = Annotation { level: Level::Error, place: None, title: "tile test", message: problem };
            vec![annotation.to_string()]
        }
        (Item::Refused { program, reasons, .. }, _) => refused(program, reasons, limit),
        (Item::Launch { program, entry, launch, .. }, outcome) => {
            let name = format!("{}{on_host}", named(entry, launch.name.as_deref()));
            let launch = OfLaunch { source: program.source(), launch, name };
            match outcome {
                Outcome::Ended { result, .. } => launch.ended(result),
                Outcome::NotRun | Outcome::NoJob => vec![launch.whole(Level::Error, "not run")],
            }
        }
    }
}

/// The same annotations as those of `tile check`.
fn refused(program: &Program, reasons: &[Diagnostic], limit: Limit) -> Vec<String> {
    let shown = limit.cut(reasons, Audience::Program, &program.file.name);
    shown.omitted.into_iter().for_each(say);
    let source = program.source();
    shown.diagnostics.into_iter().map(|reason| source.annotation(reason).to_string()).collect()
}

/// The annotations of a launch.
struct OfLaunch<'a> {
    source: Source<'a>,
    launch: &'a Launch,
    name: String,
}

impl OfLaunch<'_> {
    fn ended(&self, result: &Result<Box<Report>, WorkerError>) -> Vec<String> {
        match result {
            Err(error) => vec![self.whole(Level::Error, &error.to_string())],
            Ok(report) if report.passed() => Vec::new(),
            Ok(report) => self.failed(report),
        }
    }

    fn failed(&self, report: &Report) -> Vec<String> {
        if let Some(reason) = &report.skipped {
            return vec![self.whole(Level::Notice, &format!("skipped: {reason}"))];
        }
        if let Some(problem) = report.setup_problem() {
            return vec![self.whole(Level::Error, &with_help(&problem.message, problem.notes.first()))];
        }
        let failed = report.verdicts.iter().filter(|verdict| !verdict.passed);
        let findings = report.findings.iter().map(|found| self.finding(found));
        findings.chain(failed.map(|verdict| self.expectation(verdict))).collect()
    }

    /// An annotation of the first line of the launch.
    fn whole(&self, level: Level, message: &str) -> String {
        let start = self.launch.range.start as u32;
        let place = Place { columns: None, ..self.source.place(&(start..start)) };
        Annotation { level, place: Some(place), title: &self.name, message }.to_string()
    }

    fn finding(&self, found: &ReportedFinding) -> String {
        let diagnostic = launches::diagnostic(found);
        let annotation = self.source.annotation(&diagnostic);
        let title = format!("{}: {}", self.name, annotation.title);
        let message = [std::slice::from_ref(&diagnostic.message), &diagnostic.notes].concat().join("\n");
        Annotation { title: &title, message: &message, ..annotation }.to_string()
    }

    fn expectation(&self, verdict: &Verdict) -> String {
        let (place, title) = (self.source.place(&verdict.range), format!("{}: expectation failed", self.name));
        Annotation { level: Level::Error, place: Some(place), title: &title, message: &verdict.summary }.to_string()
    }
}
