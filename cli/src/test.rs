//! `tile test`.

use crate::check::output_failed;
use crate::launches::{self, Program};
use crate::run::seconds;
use crate::{fail, sources};
use std::io::{self, Write};
use std::time::Duration;
use tile_analysis::diagnostic::Diagnostic;
use tile_backend::launch::find::{self, EntryLaunches};
use tile_backend::launch::{self, Launch};
use tile_backend::worker::{Job, Report, Target, Worker, WorkerError};

/// Run every launch directive and check its expectations.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files and folders; the current folder where none is given.
    paths: Vec<String>,
    /// What to run on: `cpu`, `cuda`, or `cuda:N` for the GPU with the number N.
    #[arg(long, default_value = "cpu")]
    target: Target,
    /// Only launches whose line (file, entry and name) holds this text.
    #[arg(long, default_value = "")]
    filter: String,
    /// Give a launch up after this many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60", allow_hyphen_values = true)]
    timeout: u64,
}

#[derive(Default)]
struct Count {
    passed: usize,
    failed: usize,
    unreadable: usize,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    let here = [".".to_string()];
    let paths = if arguments.paths.is_empty() { &here[..] } else { &arguments.paths };
    let mut tester = Tester { arguments, worker: None, count: Count::default() };
    match tester.all(&sources::find(paths)) {
        Ok(()) => tester.status(),
        Err(error) => output_failed(&error).max(tester.status()),
    }
}

struct Tester<'a> {
    arguments: &'a Arguments,
    /// Kept from launch to launch; a new one replaces one that ended.
    worker: Option<Worker>,
    count: Count,
}

/// Writes a line to standard output.
fn line(text: impl std::fmt::Display) -> io::Result<()> {
    writeln!(io::stdout(), "{text}")
}

impl Tester<'_> {
    fn all(&mut self, found: &sources::Found) -> io::Result<()> {
        found.problems.iter().for_each(|problem| self.unreadable(problem));
        for path in &found.files {
            match sources::read(path) {
                Ok(file) => self.file(file)?,
                Err(message) => self.unreadable(&message),
            }
        }
        let Count { passed, failed, .. } = self.count;
        if passed + failed > 0 || self.count.unreadable == 0 {
            line(format_args!("{passed} passed, {failed} failed"))?;
        }
        Ok(())
    }

    fn unreadable(&mut self, problem: &str) {
        fail(problem);
        self.count.unreadable += 1;
    }

    fn status(&self) -> u8 {
        if self.count.unreadable > 0 { 2 } else { u8::from(self.count.failed > 0) }
    }

    fn file(&mut self, file: sources::SourceFile) -> io::Result<()> {
        let program = Program::check(file);
        let name = &program.file.name;
        if !program.errors.is_empty() {
            return self.refused(&program, &program.errors, &format!("{name}: it has errors"));
        }
        if !program.mistakes.is_empty() {
            let mistakes = format!("{name}: its launch directives have mistakes");
            self.refused(&program, &program.mistakes, &mistakes)?;
        }
        for entry in &program.entries {
            for launch in &entry.directives.launches {
                let title = launch.name.as_ref().map_or(String::new(), |name| format!(" \"{name}\""));
                let line = format!("{name} @{}{title}", entry.entry.name);
                if line.contains(&self.arguments.filter) {
                    self.launch(&program, entry, launch, &line)?;
                }
            }
        }
        Ok(())
    }

    /// Counts what cannot be run, and tells why.
    fn refused(&mut self, program: &Program, reasons: &[Diagnostic], what: &str) -> io::Result<()> {
        self.count.failed += 1;
        line(format_args!("FAIL {what}"))?;
        reasons.iter().for_each(|reason| program.show(reason));
        Ok(())
    }

    fn launch(&mut self, program: &Program, entry: &EntryLaunches, launch: &Launch, title: &str) -> io::Result<()> {
        let has_mistake = entry.directives.errors_in(launch).next().is_some()
            || !launch::bind::misfits(&entry.entry, launch).is_empty();
        if has_mistake {
            return Ok(()); // told already
        }
        let mut job = match program.job(entry, launch.clone()) {
            Ok(job) => job,
            Err(unreadable) => return self.refused(program, &[find::obstacle(&unreadable)], title),
        };
        job.target = self.arguments.target;
        (job.sanitize, job.timeout_ms) = (true, Some(self.arguments.timeout));
        match self.run(&job) {
            Ok(report) if report.passed() => {
                self.count.passed += 1;
                line(format_args!("ok   {title} ({:.1?})", Duration::from_secs_f64(report.seconds)))
            }
            Ok(report) => {
                self.count.failed += 1;
                line(format_args!("FAIL {title}"))?;
                show(program, &report)
            }
            Err(error) => {
                self.count.failed += 1;
                line(format_args!("FAIL {title}: {error}"))
            }
        }
    }

    fn run(&mut self, job: &Job) -> Result<Report, WorkerError> {
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None => Worker::start()?,
        };
        let report = worker.run(job, |_| {})?;
        // Behind a kernel that failed, the driver does nothing more for the process.
        let goes_on = job.target == Target::Cpu || report.findings.is_empty();
        self.worker = goes_on.then_some(worker);
        Ok(report)
    }
}

fn show(program: &Program, report: &Report) -> io::Result<()> {
    report.findings.iter().for_each(|found| program.show(&launches::diagnostic(found)));
    for verdict in report.verdicts.iter().filter(|verdict| !verdict.passed) {
        let row = program.lines.place(verdict.range.start, &program.file.text).row;
        let summary = verdict.summary.replace('\n', "\n     ");
        line(format_args!("     {}:{row}: expectation failed\n     {summary}", program.file.name))?;
    }
    Ok(())
}
