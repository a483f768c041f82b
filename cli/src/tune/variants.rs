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
            let launch = if arguments.launch.is_some() { launch } else { preferred(entry, launch) };
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

/// The first launch of an entry for benchmarks, if there is one.
fn preferred(entry: &EntryLaunches, otherwise: Launch) -> Launch {
    let bench = entry.directives.launches.iter().find(|launch| launch.is_bench);
    bench.cloned().unwrap_or(otherwise)
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
    Ok(Some(Variant {
        title: format!("{} @{}", escape_line(&program.file.name), entry.entry.name),
        body: entry.entry.clone(),
        spans: entry.spans.clone(),
        start: entry.start,
        job: Job { timeout_ms, max_bytes, compile, libraries, ..job },
    }))
}
