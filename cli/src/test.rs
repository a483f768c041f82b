//! `tile test`.

use crate::launches::{self, Program};
use crate::{fail, sources};
use std::time::Duration;
use tile_backend::launch::{self, Launch, find::EntryLaunches};
use tile_backend::worker::{Report, Worker, WorkerError};

/// Run every launch directive and check its expectations.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files and folders; the current folder where none is given.
    paths: Vec<String>,
    /// What to run on.
    #[arg(long, default_value = "cpu")]
    target: String,
    /// Only launches whose line (file, entry and name) holds this text.
    #[arg(long, default_value = "")]
    filter: String,
    /// Give a launch up after this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    timeout: u64,
}

#[derive(Default)]
struct Count {
    passed: usize,
    failed: usize,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    if arguments.target != "cpu" {
        return fail(format_args!("there is no target `{}` here: this version runs on `cpu` only", arguments.target));
    }
    let here = [".".to_string()];
    let paths = if arguments.paths.is_empty() { &here[..] } else { &arguments.paths };
    let files = match sources::find(paths) {
        Ok(files) => files,
        Err(message) => return fail(message),
    };
    let mut tester = Tester { arguments, worker: None, count: Count::default() };
    for path in files {
        match sources::read(&path) {
            Ok(file) => tester.file(file),
            Err(message) => return fail(message),
        }
    }
    let Count { passed, failed } = tester.count;
    println!("{passed} passed, {failed} failed");
    u8::from(failed > 0)
}

struct Tester<'a> {
    arguments: &'a Arguments,
    /// Kept from launch to launch; a new one replaces one that ended.
    worker: Option<Worker>,
    count: Count,
}

impl Tester<'_> {
    fn file(&mut self, file: sources::SourceFile) {
        let name = file.name.clone();
        let Some(program) = Program::check(file) else {
            println!("FAIL {name}: it has errors");
            self.count.failed += 1;
            return;
        };
        if !program.mistakes.is_empty() {
            println!("FAIL {name}: its launch directives have mistakes");
            program.mistakes.iter().for_each(|mistake| program.show(mistake));
            self.count.failed += 1;
        }
        for entry in &program.entries {
            for launch in &entry.directives.launches {
                let title = launch.name.as_ref().map_or(String::new(), |name| format!(" \"{name}\""));
                let line = format!("{name} @{}{title}", entry.entry.name);
                if line.contains(&self.arguments.filter) {
                    self.launch(&program, entry, launch, &line);
                }
            }
        }
    }

    fn launch(&mut self, program: &Program, entry: &EntryLaunches, launch: &Launch, line: &str) {
        let has_mistake = entry.directives.errors_in(launch).next().is_some()
            || !launch::bind::misfits(&entry.entry, launch).is_empty();
        if has_mistake {
            return; // told already
        }
        match self.run(program, entry, launch) {
            Ok(report) if report.passed() => {
                println!("ok   {line} ({:.1?})", Duration::from_secs_f64(report.seconds));
                self.count.passed += 1;
            }
            Ok(report) => {
                println!("FAIL {line}");
                show(program, &report);
                self.count.failed += 1;
            }
            Err(message) => {
                println!("FAIL {line}: {message}");
                self.count.failed += 1;
            }
        }
    }

    fn run(&mut self, program: &Program, entry: &EntryLaunches, launch: &Launch) -> Result<Report, String> {
        let mut job = program.job(entry, launch.clone())?;
        (job.sanitize, job.timeout_ms) = (true, Some(self.arguments.timeout * 1000));
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None => Worker::start().map_err(|error: WorkerError| error.to_string())?,
        };
        let report = worker.run(&job, |_| {}).map_err(|error| error.to_string())?;
        self.worker = Some(worker);
        Ok(report)
    }
}

fn show(program: &Program, report: &Report) {
    report.findings.iter().for_each(|found| program.show(&launches::diagnostic(found)));
    for verdict in report.verdicts.iter().filter(|verdict| !verdict.passed) {
        let row = program.lines.place(verdict.range.start, &program.file.text).row;
        let summary = verdict.summary.replace('\n', "\n     ");
        println!("     {}:{row}: expectation failed\n     {summary}", program.file.name);
    }
}
