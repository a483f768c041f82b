//! `tile bench`.

mod arguments;
mod launches;
mod measure;
mod table;

pub(crate) use arguments::Arguments;

use crate::messages::{fail, print};
use crate::sources;
use std::path::Path;
use tile_tune::results::{LaunchResult, Results, Verdict};

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    match bench(arguments) {
        Ok(status) => status,
        Err(message) => fail(message),
    }
}

fn bench(arguments: &Arguments) -> Result<u8, String> {
    arguments.refuse_options_of_gpus()?;
    let baseline = arguments.baseline.as_deref().map(baseline).transpose()?;
    if let Some(path) = &arguments.save {
        tile_files::can_replace(Path::new(path)).map_err(|error| format!("cannot write `{path}`: {error}"))?;
    }
    let (groups, is_refused) = launches::find(arguments)?;
    let mut status = u8::from(is_refused);
    if groups.is_empty() && status == 0 {
        return Err(nothing(arguments));
    }
    let mut all: Vec<LaunchResult> = Vec::new();
    for on_target in measure::all(arguments, &groups) {
        status = status.max(on_target.status);
        all.extend(on_target.results);
    }
    let is_slower = |result: &LaunchResult| {
        let old = baseline.as_ref().and_then(|old| old.find(&result.launch, &result.target));
        let change = old.and_then(|old| result.change(old, arguments.threshold));
        change.is_some_and(|change| change.verdict == Verdict::Slower)
    };
    status = status.max(u8::from(all.iter().any(is_slower)));
    let results = Results::new(all);
    let shown = match arguments.output_format {
        arguments::Format::Text => table::write(&results.results, baseline.as_ref(), arguments.threshold),
        arguments::Format::Json => print(results.text().trim_end()),
    };
    if let Some(path) = &arguments.save {
        let written = tile_files::replace(Path::new(path), results.text().as_bytes());
        written.map_err(|error| format!("cannot write `{path}`: {error}"))?;
    }
    Ok(status.max(shown))
}

/// The largest file of results that is read, in bytes.
const MAX_RESULTS: u64 = 64 << 20;

fn baseline(path: &str) -> Result<Results, String> {
    let text =
        tile_input::read_text(Path::new(path), MAX_RESULTS).map_err(|error| sources::unreadable(path, &error))?;
    Results::parse(&text).map_err(|why| format!("`{path}`: {why}"))
}

fn nothing(arguments: &Arguments) -> String {
    let why = if arguments.filter.is_empty() {
        "found no launches; add a `//@ bench` or `//@ launch` comment above an entry (see `tile doc bench`)"
    } else {
        "no launch matches the filter"
    };
    why.to_string()
}
