//! The queue of launches to test. Files are read and checked lazily, one at a time.

use super::arguments::Arguments;
use crate::launches::{Program, title};
use crate::sources;
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::vec::IntoIter;
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::render::escape_line;
use tile_backend::cuda::compiler::Library;
use tile_backend::worker::Job;
use tile_config::Configs;
use tile_launch::find;
use tile_launch::{Launch, bind};

/// An item with a line in the report.
pub(super) enum Item {
    /// The message about a file or folder that cannot be read.
    Unreadable(String),
    /// A program or launch that cannot be run, and its errors.
    Refused { program: Arc<Program>, title: String, reasons: Vec<Diagnostic> },
    /// A launch.
    Launch { program: Arc<Program>, title: String, entry: String, launch: Launch },
}

/// All items, in the order of files and launches.
pub(super) struct Queue<'a> {
    arguments: &'a Arguments,
    /// The libraries to link GPU code with.
    libraries: Vec<Library>,
    configs: &'a Configs,
    /// The errors in project files that have been reported.
    reported: HashSet<String>,
    files: IntoIter<String>,
    /// The remaining items of the last file, or the errors found while searching for files.
    waiting: VecDeque<Waiting>,
}

enum Waiting {
    /// An item that needs no job.
    Item(Item),
    /// A launch: the index of its entry, and its index in that entry.
    Launch(Arc<Program>, usize, usize),
}

impl<'a> Queue<'a> {
    pub(super) fn new(
        arguments: &'a Arguments,
        libraries: Vec<Library>,
        configs: &'a Configs,
        found: sources::FoundFiles,
    ) -> Queue<'a> {
        let unreadable = found.problems.into_iter().map(|problem| Waiting::Item(Item::Unreadable(problem)));
        Queue {
            arguments,
            libraries,
            configs,
            reported: HashSet::new(),
            files: found.files.into_iter(),
            waiting: unreadable.collect(),
        }
    }

    fn add(&mut self, path: &str) {
        let options = match self.arguments.preview.options_in(self.configs, path) {
            Ok(options) => options,
            Err(problem) => {
                if self.reported.insert(problem.clone()) {
                    self.waiting.push_back(Waiting::Item(Item::Unreadable(problem)));
                }
                return;
            }
        };
        let program = match sources::read(path) {
            Ok(file) => Arc::new(Program::check(file, options)),
            Err(problem) => return self.waiting.push_back(Waiting::Item(Item::Unreadable(problem))),
        };
        let name = &program.file.name;
        let refused = |problem: &str, reasons: &[Diagnostic]| {
            let (program, title) = (program.clone(), format!("{}: {problem}", escape_line(name)));
            Waiting::Item(Item::Refused { program, title, reasons: reasons.to_vec() })
        };
        let may_match = self.may_match(&program);
        if !program.errors.is_empty() && !may_match {
            return;
        }
        if !program.errors.is_empty() {
            return self.waiting.push_back(refused("the program has errors", &program.errors));
        }
        if !program.mistakes.is_empty() && may_match {
            self.waiting.push_back(refused("the launch directives have errors", &program.mistakes));
        }
        for (number, entry) in program.entries.iter().enumerate() {
            let launches =
                (0..entry.directives.launches.len()).filter(|&launch| self.is_wanted(&program, number, launch));
            let launches: Vec<usize> = launches.collect();
            let launches = launches.into_iter().map(|launch| Waiting::Launch(program.clone(), number, launch));
            self.waiting.extend(launches);
        }
    }

    /// Whether a title matches a filter, or there is none.
    fn matches(&self, title: &str) -> bool {
        let filters = &self.arguments.filter;
        filters.is_empty() || filters.iter().any(|filter| title.contains(filter))
    }

    /// Whether a filter matches the file, or one of the launches found in it.
    fn may_match(&self, program: &Program) -> bool {
        let launches = |entry: usize| 0..program.entries[entry].directives.launches.len();
        let mut entries = 0..program.entries.len();
        self.matches(&program.file.name)
            || entries.any(|entry| {
                launches(entry).any(|launch| self.matches(&title(program, &program.entries[entry], launch)))
            })
    }

    /// Whether a launch is a test that matches the filters and can be run. The errors of other launches are reported
    /// with their file.
    fn is_wanted(&self, program: &Program, entry: usize, launch: usize) -> bool {
        let title = title(program, &program.entries[entry], launch);
        let entry = &program.entries[entry];
        let launch = &entry.directives.launches[launch];
        !launch.is_bench
            && self.matches(&title)
            && entry.directives.errors_in(launch).next().is_none()
            && bind::misfits(entry.kernels(launch), launch).is_empty()
    }

    fn launch(&self, program: Arc<Program>, number: usize, launch: usize) -> (Item, Option<Job>) {
        let title = title(&program, &program.entries[number], launch);
        let entry = &program.entries[number];
        let launch = entry.directives.launches[launch].clone();
        match program.job(entry, launch.clone()) {
            Ok(job) => {
                // the pool sets the target of the job, and sanitizes only on the CPU engine.
                let Arguments { timeout, max_memory, schedule, .. } = *self.arguments;
                let (timeout_ms, libraries) = (Some(timeout), self.libraries.clone());
                let job = Job { libraries, sanitize: true, schedule, timeout_ms, max_bytes: max_memory, ..job };
                let entry = entry.entry.name.to_string();
                (Item::Launch { program, title, entry, launch }, Some(job))
            }
            Err(unreadable) => {
                (Item::Refused { program, title, reasons: vec![find::launch_problem(&unreadable)] }, None)
            }
        }
    }
}

impl Iterator for Queue<'_> {
    type Item = (Item, Option<Job>);

    fn next(&mut self) -> Option<(Item, Option<Job>)> {
        loop {
            match self.waiting.pop_front() {
                Some(Waiting::Item(item)) => return Some((item, None)),
                Some(Waiting::Launch(program, entry, launch)) => return Some(self.launch(program, entry, launch)),
                None => {
                    let path = self.files.next()?;
                    self.add(&path);
                }
            }
        }
    }
}
