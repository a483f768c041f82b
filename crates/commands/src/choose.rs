//! Choosing a launch of a program by name.

use crate::launches::Program;
use crate::sources;
use tile_analysis::render::escape_line;
use tile_analysis::suggest;
use tile_launch::find::EntryLaunches;
use tile_launch::{Launch, name_of};

/// Finds a launch and its entry by name. Without a name, chooses the first launch; an entry without a directive runs in
/// one tile block.
pub(crate) fn choose<'p>(
    program: &'p Program,
    entry: Option<&str>,
    launch: Option<&str>,
) -> Result<(&'p EntryLaunches, Launch), String> {
    let found = choose_entry(program, entry, launch)?;
    let launches = &found.directives.launches;
    let Some(wanted) = launch else {
        return Ok((found, launches.first().cloned().unwrap_or_else(no_directive)));
    };
    let chosen = (0..launches.len()).find(|&index| name_of(launches, index).as_deref() == Some(wanted));
    let chosen = chosen.map(|index| launches[index].clone()).ok_or_else(|| match entry {
        Some(_) => no_launch(&format!("`@{}`", found.entry.name), wanted, std::slice::from_ref(found)),
        None => no_launch(&format!("`{}`", program.file.name), wanted, &program.entries),
    });
    Ok((found, chosen?))
}

/// Finds the launch nearest to a line, counted from 1: the last one at or above it, or else the first one. `None` if
/// the program has no launches.
pub(crate) fn choose_at(program: &Program, line: u32) -> Option<(&EntryLaunches, Launch)> {
    let launches =
        || program.entries.iter().flat_map(|entry| entry.directives.launches.iter().map(move |it| (entry, it)));
    let is_above = |(_, launch): &(&EntryLaunches, &Launch)| program.row(launch.range.start as u32) <= line;
    let (entry, launch) = launches().rfind(is_above).or_else(|| launches().next())?;
    Some((entry, launch.clone()))
}

fn choose_entry<'p>(
    program: &'p Program,
    entry: Option<&str>,
    launch: Option<&str>,
) -> Result<&'p EntryLaunches, String> {
    let names: Vec<&str> = program.entries.iter().map(|entry| &*entry.entry.name).collect();
    if let Some(wanted) = entry {
        let wanted = wanted.trim_start_matches('@');
        let found = program.entries.iter().find(|entry| &*entry.entry.name == wanted);
        let hint = || suggest::did_you_mean(wanted, &names);
        return found.ok_or_else(|| format!("`{}` has no entry `@{wanted}`: {}", program.file.name, hint()));
    }
    let has_wanted = |entry: &&EntryLaunches| match launch {
        Some(wanted) => entry.directives.launches.iter().any(|launch| launch.name.as_deref() == Some(wanted)),
        None => !entry.directives.launches.is_empty(),
    };
    let found = program.entries.iter().find(has_wanted).or_else(|| program.entries.first());
    found.ok_or_else(|| format!("{} has no entry", sources::shown(&program.file.name)))
}

/// The error for a launch name that none of the entries has.
fn no_launch(place: &str, wanted: &str, entries: &[EntryLaunches]) -> String {
    let launches: Vec<&Launch> = entries.iter().flat_map(|entry| &entry.directives.launches).collect();
    let names: Vec<&str> = launches.iter().filter_map(|launch| launch.name.as_deref()).collect();
    let help = match (launches.is_empty(), names.is_empty()) {
        (true, _) => "add one with a `//@ launch` comment above an entry".to_string(),
        (false, true) => "its launches have no names".to_string(),
        (false, false) => suggest::did_you_mean(wanted, &names),
    };
    escape_line(&format!("{place} has no launch `{wanted}`: {help}")).into_owned()
}

/// The launch of an entry without a directive: one tile block.
fn no_directive() -> Launch {
    Launch {
        name: None,
        is_bench: false,
        grid: [1; 3],
        args: Vec::new(),
        forward: None,
        expects: Vec::new(),
        range: 0..0,
    }
}
