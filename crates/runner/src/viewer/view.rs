//! Which run reports the contents for a page.

use crate::contents::Viewed;
use crate::settings::Watching;
use crate::trace::{self, Names};
use tile_analysis::db::{File, Queries};
use tile_launch::find::EntryLaunches;
use tile_launch::{Expect, Launch, Spec, editor};

/// Finds what a name refers to: a buffer of the launch, or else a value of the entry. The error describes a name that
/// has no elements.
pub fn named(entry: &EntryLaunches, text: &str, launch: &Launch, name: &str) -> Result<Viewed, String> {
    let name = name.trim().trim_start_matches('%');
    if launch.arg(name).is_some_and(|arg| matches!(arg.spec, Spec::Buffer { .. })) {
        return Ok(Viewed::Buffer(name.to_string()));
    }
    let name = format!("%{name}");
    if let Some(mistake) = trace::mistake(entry, text, launch.grid, std::slice::from_ref(&name), None) {
        return Err(mistake);
    }
    let values = Names::new(&entry.spans, text, entry.start).values(&name);
    let tile = values.into_iter().find(|value| entry.entry.ty(*value).as_tile().is_some());
    match tile {
        Some(_) => Ok(Viewed::Value(name)),
        None => Err(format!("`{name}` is not a tile or a buffer")),
    }
}

/// The launch that reports the contents, without the expectations that are not viewed.
pub fn viewing(mut launch: Launch, view: Viewed, block: Option<[u32; 3]>) -> (Launch, Watching) {
    let view = match view {
        Viewed::Expectation(number) => {
            launch.expects = launch.expects.into_iter().nth(number as usize).into_iter().collect();
            Viewed::Expectation(0)
        }
        other => {
            launch.expects.clear();
            other
        }
    };
    (launch, Watching { view: Some(view), block, ..Watching::default() })
}

/// Finds the buffer or the expectation of the directives, or the value of the entry, at an offset. Returns its name,
/// too.
pub fn viewed_at(
    db: &Queries,
    file: File,
    entry: &EntryLaunches,
    launch: &Launch,
    offset: u32,
) -> Result<(String, Viewed), String> {
    let text = file.text(db);
    if let Some(argument) = editor::argument_at(db, file, offset) {
        let name = format!("%{}", argument.argument);
        return named(entry, text, launch, &name).map(|view| (name, view));
    }
    let is_here = |expect: &Expect| (expect.range().start..=expect.range().end).contains(&(offset as usize));
    if let Some(number) = launch.expects.iter().position(is_here) {
        let expect = &launch.expects[number];
        if !expect.compares_elements() {
            return Err("only expectations of buffers and formulas have elements".to_string());
        }
        let name = text.get(expect.range()).unwrap_or_default().to_string();
        return Ok((name, Viewed::Expectation(number as u32)));
    }
    let value = offset.checked_sub(entry.start).and_then(|offset| entry.spans.value_at(offset));
    let (_, value) = value.ok_or("there is no value, buffer or expectation at this position")?;
    let name = Names::new(&entry.spans, text, entry.start).name(value);
    named(entry, text, launch, &name).map(|view| (name, view))
}
