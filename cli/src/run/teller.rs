//! Telling how a run goes.

use super::Format;
use crate::check::output_failed;
use crate::launches::{self, Program};
use serde_json::{Value, json};
use std::io::{self, Write};
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::render;
use tile_backend::worker::client::Killer;
use tile_backend::worker::{Event, Report, Verdict};

/// Tells what happens: what the kernel prints on standard output, all else on standard error. As JSON, everything goes
/// to standard output.
pub(super) struct Teller<'a> {
    format: Format,
    pub(super) program: &'a Program,
    /// What is killed when nobody reads the output any more.
    stop: Option<Killer>,
    /// Why standard output cannot be written any more.
    broken: Option<io::Error>,
}

impl<'a> Teller<'a> {
    pub(super) fn new(format: Format, program: &'a Program) -> Teller<'a> {
        Teller { format, program, stop: None, broken: None }
    }

    /// From now on there is something to kill when nobody reads the output any more.
    pub(super) fn stops(&mut self, worker: Option<Killer>) {
        self.stop = worker;
    }

    /// Whether standard output cannot be written any more.
    pub(super) fn is_unheard(&self) -> bool {
        self.broken.is_some()
    }

    /// Writes to standard output what `write` writes, as long as it can be written.
    fn write(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
        let mut out = io::stdout().lock();
        if self.broken.is_some() {
            return;
        }
        if let Err(error) = write(&mut out).and_then(|()| out.flush()) {
            self.broken = Some(error);
            self.stop.iter().for_each(Killer::kill);
        }
    }

    /// The exit status of a command that would end with `status` if its output could be written.
    pub(super) fn status(&self, status: u8) -> u8 {
        status.max(self.broken.as_ref().map_or(0, output_failed))
    }

    fn row(&self, offset: u32) -> u32 {
        self.program.lines.place(offset, &self.program.file.text).row
    }

    pub(super) fn event(&mut self, event: &Event) {
        let Event::Printed { op, block, text } = event else { return };
        match self.format {
            Format::Text => self.write(|out| out.write_all(text)),
            Format::JsonLines => {
                let (row, text) = (self.row(op.start), String::from_utf8_lossy(text));
                self.json(&json!({"event": "print", "row": row, "block": block, "text": text}));
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
                let program = self.program;
                let diagnostic = json!(render::json_diagnostic(&program.source(), diagnostic));
                self.json(&json!({"event": "finding", "diagnostic": diagnostic}));
            }
        }
    }

    /// Tells why there is no run.
    pub(super) fn refuse(&mut self, reasons: Vec<Diagnostic>) {
        reasons.iter().for_each(|reason| self.diagnostic(reason));
        self.done(false, &Report::default());
    }

    pub(super) fn report(&mut self, report: &Report) {
        report.findings.iter().for_each(|found| self.diagnostic(&launches::diagnostic(found)));
        report.verdicts.iter().for_each(|verdict| self.verdict(verdict));
        let met = report.verdicts.iter().filter(|verdict| verdict.passed).count();
        if met > 0 && self.format == Format::Text {
            launches::say(format_args!("{met} of {} expectations met", report.verdicts.len()));
        }
        self.done(report.passed(), report);
    }

    fn verdict(&mut self, verdict: &Verdict) {
        let (row, summary) = (self.row(verdict.range.start), &verdict.summary);
        match self.format {
            Format::Text if verdict.passed => {}
            Format::Text => {
                launches::say(format_args!("{}:{row}: expectation failed\n{summary}", self.program.file.name));
            }
            Format::JsonLines => {
                let passed = verdict.passed;
                self.json(&json!({"event": "expectation", "row": row, "passed": passed, "summary": summary}));
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
