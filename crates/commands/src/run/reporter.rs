//! Reporting a run.

use crate::launches::{self, Program};
use crate::limit::{Audience, Limit};
use crate::messages::output_failed;
use crate::progress::Bar;
use clap::ValueEnum;
use serde_json::{Value, json};
use std::io::{self, IsTerminal, Write};
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::render::{escape, escape_line};
use tile_backend::cuda::bench::Bench;
use tile_backend::worker::Killer;
use tile_backend::worker::compare::{Compared, Difference, Outside};
use tile_backend::worker::profile::{self, OpCost};
use tile_backend::worker::trace::Traced;
use tile_backend::worker::{Event, Report, Stage, Verdict};

/// Output format.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Human-readable text
    Text,
    /// One JSON event per line
    JsonLines,
}

/// Reports events. As text, the prints of the kernel go to standard output and everything else to standard error; as
/// JSON, everything goes to standard output.
pub(super) struct Reporter<'a> {
    format: Format,
    limit: Limit,
    pub(super) program: &'a Program,
    /// Kills the worker when the output is closed.
    killer: Option<Killer>,
    /// The progress line.
    bar: Bar,
    /// The first error on writing the output.
    broken: Option<io::Error>,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(format: Format, limit: Limit, program: &'a Program) -> Reporter<'a> {
        Reporter { format, limit, program, killer: None, bar: Bar::hidden(), broken: None }
    }

    /// Starts showing progress on a terminal.
    pub(super) fn begin(&mut self) {
        self.bar = Bar::on_terminal();
        self.bar.stage(self.stage(&Stage::Preparing));
    }

    /// Stops showing progress.
    pub(super) fn end(&mut self) {
        self.bar = Bar::hidden();
    }

    /// Prints a line to standard error.
    fn say(&self, text: impl std::fmt::Display) {
        let _aside = self.bar.aside();
        launches::say(text);
    }

    /// Sets the worker to kill when the output is closed.
    pub(super) fn kill_on_closed_output(&mut self, worker: Option<Killer>) {
        self.killer = worker;
    }

    /// Whether writing the output has failed.
    pub(super) fn is_closed(&self) -> bool {
        self.broken.is_some()
    }

    /// Writes to standard output. Does nothing after an error.
    fn write(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
        if self.broken.is_some() {
            return;
        }
        let aside = self.bar.aside();
        let mut out = io::stdout().lock();
        let written = write(&mut out).and_then(|()| out.flush());
        drop((out, aside));
        written.unwrap_or_else(|error| self.close(error));
    }

    /// Writes a line of a trace to standard error. As for standard output, an error ends the run.
    fn write_trace(&mut self, line: &str) {
        if self.broken.is_some() {
            return;
        }
        let aside = self.bar.aside();
        let written = writeln!(io::stderr(), "{}", escape(line));
        drop(aside);
        written.unwrap_or_else(|error| self.close(error));
    }

    /// Records an error on writing the output, and kills the worker.
    fn close(&mut self, error: io::Error) {
        self.broken = Some(error);
        self.killer.iter().for_each(Killer::kill);
    }

    /// The exit status: `status`, or a greater one if the output could not be written.
    pub(super) fn status(&self, status: u8) -> u8 {
        status.max(self.broken.as_ref().map_or(0, output_failed))
    }

    pub(super) fn event(&mut self, event: &Event) {
        match event {
            Event::Printed { op, block, text } => self.printed(op.start, *block, text),
            Event::Traced(traced) => self.traced(traced),
            Event::Progress { ended, blocks } => self.bar.update(*ended, *blocks),
            Event::Stage(stage) => self.bar.stage(self.stage(stage)),
            Event::Accessed(_)
            | Event::Contents(_)
            | Event::Done(_)
            | Event::Machine(_)
            | Event::Stopped(_)
            | Event::Bench(_)
            | Event::Benched(_)
            | Event::Logged { .. }
            | Event::Answer(..) => {}
        }
    }

    /// Describes what the worker is doing; `None` while it runs tile blocks.
    fn stage(&self, stage: &Stage) -> Option<String> {
        match stage {
            Stage::Preparing => Some("preparing the buffers".to_string()),
            Stage::Running => None,
            Stage::Comparing(range) => {
                Some(format!("checking the expectation on line {}", self.program.row(range.start)))
            }
            Stage::Saving => Some("preparing the files".to_string()),
        }
    }

    fn printed(&mut self, op: u32, block: Option<[u32; 3]>, text: &[u8]) {
        match self.format {
            Format::Text => {
                self.write(|out| {
                    if io::stdout().is_terminal() {
                        out.write_all(escape(&String::from_utf8_lossy(text)).as_bytes())
                    } else {
                        out.write_all(text)
                    }
                });
                self.bar.cursor_is_at_start(text.ends_with(b"\n"));
            }
            Format::JsonLines => {
                let (row, text) = (self.program.row(op), String::from_utf8_lossy(text));
                self.json(&json!({"event": "print", "row": row, "block": block, "text": text}));
            }
        }
    }

    fn traced(&mut self, traced: &Traced) {
        let row = self.program.row(traced.range.start);
        match self.format {
            Format::Text => {
                let line = traced.line(&format!("{}:{row}", escape_line(&self.program.file.name)));
                self.write_trace(&line);
            }
            Format::JsonLines => {
                let Traced { name, block, iterations, ty, shown, .. } = traced;
                self.json(&json!({
                    "event": "trace", "name": name, "row": row, "block": block, "iterations": iterations, "type": ty,
                    "value": shown.text, "summary": shown.summary,
                }));
            }
        }
    }

    fn profile(&mut self, costs: &[OpCost]) {
        let program = self.program;
        match self.format {
            _ if costs.is_empty() => {}
            Format::Text => self.say(profile::table(costs, &program.file.text, &program.lines).trim_end()),
            Format::JsonLines => {
                let op = |cost: &OpCost| {
                    let OpCost { op, range, runs, nanoseconds, read, written } = cost;
                    let (row, seconds) = (program.row(range.start), *nanoseconds as f64 / 1e9);
                    json!({
                        "row": row, "op": op, "runs": runs, "seconds": seconds, "share": cost.share(costs),
                        "read": read, "written": written,
                    })
                };
                let ops: Vec<Value> = costs.iter().map(op).collect();
                self.json(&json!({"event": "profile", "ops": ops}));
            }
        }
    }

    fn json(&mut self, event: &Value) {
        self.write(|out| writeln!(out, "{event}"));
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic) {
        match self.format {
            Format::Text => self.program.show(diagnostic),
            Format::JsonLines => {
                let diagnostic = self.program.diagnostic_json(diagnostic);
                self.json(&json!({"event": "finding", "diagnostic": diagnostic}));
            }
        }
    }

    /// Reports the errors that prevent a run.
    pub(super) fn refuse(&mut self, reasons: Vec<Diagnostic>) {
        let reader = if self.format == Format::Text { Audience::Person } else { Audience::Program };
        let shown = self.limit.cut(&reasons, reader, &self.program.file.name);
        shown.diagnostics.into_iter().for_each(|reason| self.diagnostic(reason));
        shown.omitted.into_iter().for_each(|omitted| self.say(omitted));
        self.done(false, &Report::default());
    }

    pub(super) fn report(&mut self, report: &Report) {
        report.findings.iter().for_each(|found| self.diagnostic(&launches::diagnostic(found)));
        if let (Some(reason), []) = (&report.skipped, &report.findings[..]) {
            launches::say(format_args!("the launch was not run: {reason}"));
        }
        report.verdicts.iter().for_each(|verdict| self.verdict(verdict));
        report.notes.iter().for_each(|found| self.diagnostic(&launches::diagnostic(found)));
        report.compared.iter().for_each(|compared| self.compared(compared));
        report.bench.iter().for_each(|bench| self.bench(bench));
        let met = report.verdicts.iter().filter(|verdict| verdict.passed).count();
        if met > 0 && self.format == Format::Text {
            launches::say(format_args!("{met} of {} expectations met", report.verdicts.len()));
        }
        self.profile(&report.profile);
        self.done(report.passed(), report);
    }

    fn compared(&mut self, compared: &Compared) {
        match self.format {
            Format::Text => self.say(compared),
            Format::JsonLines => {
                let Compared { name, element, passed, rtol, atol, elements, difference, products, outside, .. } =
                    compared;
                let mut event = json!({
                    "event": "compared", "name": format!("%{name}"), "element": element, "passed": passed,
                    "rtol": rtol, "atol": atol, "elements": elements, "differ": 0,
                });
                if let Some(Difference { differ, first, expected, got, ulps, most_ulps }) = difference {
                    event["differ"] = (*differ).into();
                    event["first"] = json!(first);
                    (event["expected"], event["got"]) = (json!(expected), json!(got));
                    (event["ulps"], event["most_ulps"]) = (json!(ulps), json!(most_ulps));
                }
                if let Some(products) = products {
                    event["tensor_cores"] = json!({
                        "factors": products.factors, "accumulator": products.accumulator, "length": products.length,
                        "expected": products.expected(),
                    });
                }
                if let Some(Outside { count, first }) = outside {
                    event["outside"] = json!({ "count": count, "first": first });
                }
                self.json(&event);
            }
        }
    }

    fn bench(&mut self, bench: &Bench) {
        match self.format {
            Format::Text => self.say(bench),
            Format::JsonLines => self.json(&json!({
                "event": "bench", "gpu": bench.device, "seconds": bench.seconds, "median": bench.median(),
                "bytes": bench.bytes, "operations": bench.operations, "open": bench.is_open,
                "bytes_per_second": bench.bytes_per_second(), "operations_per_second": bench.operations_per_second(),
                "most_bytes_per_second": bench.most_bytes, "most_operations_per_second": bench.most_operations,
            })),
        }
    }

    fn verdict(&mut self, verdict: &Verdict) {
        match self.format {
            Format::Text if verdict.passed => {}
            Format::Text => launches::say(self.program.verdict_text(verdict)),
            Format::JsonLines => {
                let mut event = self.program.verdict_json(verdict);
                event["event"] = "expectation".into();
                self.json(&event);
            }
        }
    }

    fn done(&mut self, passed: bool, report: &Report) {
        if self.format == Format::JsonLines {
            let (blocks, seconds) = (report.blocks, report.seconds);
            self.json(&json!({"event": "done", "passed": passed, "blocks": blocks, "seconds": seconds}));
        }
    }
}
