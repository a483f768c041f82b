//! The launches to time.

use super::arguments::Arguments;
use crate::launches::{Program, title};
use crate::{project, sources};
use tile_analysis::diagnostic::Diagnostic;
use tile_backend::worker::Job;
use tile_launch::find::EntryLaunches;
use tile_launch::{Launch, bind, find};

/// Launches that are timed in turns: a single one, or variants with the same name and arguments.
pub(super) struct Group {
    /// The titles of the launches.
    pub(super) titles: Vec<String>,
    /// Their jobs.
    pub(super) jobs: Vec<Job>,
    key: Option<Launch>,
}

/// Finds the launches. Shows what is wrong with the others, and returns whether there were any.
pub(super) fn find(arguments: &Arguments) -> Result<(Vec<Group>, bool), String> {
    let here = [".".to_string()];
    let paths = if arguments.paths.is_empty() { &here[..] } else { &arguments.paths };
    let configs = project::configs();
    let found = sources::find(paths, &configs);
    let mut is_refused = !found.problems.is_empty();
    found.problems.iter().for_each(|problem| _ = crate::messages::fail(problem));
    let mut groups = Vec::new();
    for path in &found.files {
        let options = arguments.preview.options_in(&configs, path)?;
        let program = Program::check(sources::read(path)?, options);
        is_refused |= of_program(arguments, &program, &mut groups)?;
    }
    Ok((groups, is_refused))
}

/// Adds the launches of a program. Shows its errors and those of its launches if one of them is selected, and returns
/// whether there were any.
fn of_program(arguments: &Arguments, program: &Program, groups: &mut Vec<Group>) -> Result<bool, String> {
    let is_selected =
        |title: &str| arguments.filter.is_empty() || arguments.filter.iter().any(|filter| title.contains(filter));
    let refuse = |reasons: &[Diagnostic]| reasons.iter().for_each(|reason| program.show(reason));
    let mut is_refused = false;
    for entry in &program.entries {
        for index in entry.timed() {
            let title = title(program, entry, index);
            if !is_selected(&title) {
                continue;
            }
            let launch = entry.directives.launches[index].clone();
            // A kernel with an error does not reach its end.
            if launch.expects_error() {
                continue;
            }
            let errors: Vec<Diagnostic> = program.errors.iter().cloned().chain(mistakes(entry, &launch)).collect();
            if !errors.is_empty() {
                refuse(&errors);
                is_refused = true;
                continue;
            }
            match program.job(entry, launch) {
                Ok(job) => add(groups, title, Job { ..configured(arguments, job)? }),
                Err(unreadable) => {
                    refuse(&[find::launch_problem(&unreadable)]);
                    is_refused = true;
                }
            }
        }
    }
    Ok(is_refused)
}

fn mistakes(entry: &EntryLaunches, launch: &Launch) -> Vec<Diagnostic> {
    let errors = entry.directives.errors_in(launch).map(find::launch_problem);
    errors.chain(bind::misfits(entry.kernels(launch), launch).iter().map(find::launch_problem)).collect()
}

fn configured(arguments: &Arguments, job: Job) -> Result<Job, String> {
    let (timeout_ms, max_bytes) = (Some(arguments.timeout), arguments.max_memory);
    let (compile, libraries) = (arguments.compile.options(false)?, arguments.libraries.read()?);
    Ok(Job { timeout_ms, max_bytes, compile, libraries, ..job })
}

/// Adds a launch to the group of the others with its name and arguments, or to a new one.
fn add(groups: &mut Vec<Group>, title: String, job: Job) {
    let launch = Launch { grid: [1; 3], expects: Vec::new(), ..job.launch.clone() }.without_ranges();
    let key = Some(launch).filter(|launch| launch.name.is_some());
    match groups.iter_mut().find(|group| key.is_some() && group.key == key) {
        Some(group) => {
            group.titles.push(title);
            group.jobs.push(job);
        }
        None => groups.push(Group { titles: vec![title], jobs: vec![job], key }),
    }
}
