//! The variants to tune.

use super::arguments::Arguments;
use crate::choose::choose;
use crate::launches::{self, Program, show_all};
use crate::limit::Limit;
use crate::{project, sources};
use tile_analysis::render::escape_line;
use tile_backend::worker::Job;
use tile_launch::find::{self, EntryLaunches};
use tile_launch::{Launch, bind};
use tile_tune::variant::Variant;

/// Finds the variants. `None` if a program or a launch has errors, which are shown.
pub(super) fn find(arguments: &Arguments) -> Result<Option<Vec<Variant>>, String> {
    let mut variants: Vec<Variant> = Vec::new();
    for path in &arguments.files {
        let options = arguments.preview.options_in(&project::configs(), path)?;
        let program = Program::check(sources::read(path)?, options);
        if !program.errors.is_empty() {
            show_all(&program.source(), &program.errors, Limit::default());
            return Ok(None);
        }
        let named = arguments.entry.iter().map(|name| Some(name.as_str()));
        let named: Vec<Option<&str>> = if arguments.entry.is_empty() { vec![None] } else { named.collect() };
        for name in named {
            let (entry, launch) = choose(&program, name, arguments.launch.as_deref())?;
            let timed = entry.timed().into_iter().next().filter(|_| arguments.launch.is_none());
            let launch = timed.map_or(launch, |timed| entry.directives.launches[timed].clone());
            let Some(variant) = variant(arguments, &program, entry, launch)? else { return Ok(None) };
            if let Some(first) = variants.first()
                && let Some(difference) = variant.difference(first)
            {
                let (title, first) = (&variant.title, &first.title);
                return Err(format!("`{title}` is not a variant of `{first}`: {difference}"));
            }
            variants.push(variant);
        }
    }
    Ok(Some(variants))
}

fn variant(
    arguments: &Arguments,
    program: &Program,
    entry: &EntryLaunches,
    launch: Launch,
) -> Result<Option<Variant>, String> {
    let misfits = bind::misfits(entry.kernels(&launch), &launch);
    let mistakes: Vec<_> = entry.directives.errors_in(&launch).chain(&misfits).map(find::launch_problem).collect();
    if !mistakes.is_empty() {
        show_all(&program.source(), &mistakes, Limit::default());
        return Ok(None);
    }
    let job = program.job(entry, launch).map_err(|unreadable| launches::usage(&unreadable))?;
    let (timeout_ms, max_bytes) = (Some(arguments.timeout), arguments.max_memory);
    let (compile, libraries) = (arguments.compile.options(false)?, arguments.libraries.read()?);
    let title = format!("{} @{}", escape_line(&program.file.name), entry.entry.name);
    Ok(Some(Variant::new(title, entry, Job { timeout_ms, max_bytes, compile, libraries, ..job })))
}
