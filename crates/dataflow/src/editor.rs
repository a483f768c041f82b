//! Hovers: the access map of a load, a store or an atomic op.

use crate::access::{Access, Direction, Mask, memory_bits};
use crate::map::AccessMap;
use crate::names::SourceNames;
use crate::point::Coverage;
use crate::repetition::Repetition;
use crate::symbolic::{Names, Poly, Symbol};
use crate::volume::{self, INTERACTIVE, Iterations, Unmeasured, Volume};
use std::fmt::Write;
use tile_analysis::ir::Body;
use tile_analysis::range_analysis::NamedLaunch;
use tile_input::size::shown;

/// Describes an access in Markdown, for a launch if there is one.
pub fn describe(access: &Access, names: &SourceNames<'_>, launch: Option<&NamedLaunch>) -> String {
    let verb = match access.direction {
        Direction::Read => "Reads",
        Direction::Write => "Writes",
        Direction::Update => "Updates",
    };
    let base = access.memory(names);
    let mut text = match &access.coordinates {
        Some(coordinates) => {
            let coordinates: Vec<String> = coordinates.iter().map(|one| one.text(names)).collect();
            format!("{verb} `{base}[{}]`{}", coordinates.join(", "), lanes(access))
        }
        None => format!("{verb} `{base}`"),
    };
    if let Mask::Known(mask) = &access.mask {
        let _ = write!(text, " where `{}`", mask.text(names));
    }
    text += ".\n";
    match access.map() {
        Ok(map) => text += &table(&map, names),
        Err(why) => {
            let _ = writeln!(text, "\nThe access is not affine: {}.", why.reason(names));
        }
    }
    if let Some(sentence) = contiguity(access, names.body) {
        let aligned = alignment(access, names.body, launch).unwrap_or_default();
        let _ = writeln!(text, "\n{sentence}{aligned}");
    }
    if let Some(sentence) = launch.map(|launch| in_launch(access, names, launch)) {
        let _ = writeln!(text, "\n{sentence}");
    }
    text
}

/// Describes how often a loop repeats in Markdown, for a launch if there is one. Empty if nothing is known.
pub fn describe_loop(repetition: &Repetition, names: &SourceNames<'_>, launch: Option<&NamedLaunch>) -> String {
    let mut text = String::new();
    if let Some(count) = repetition.trip_count().filter(|count| count.as_number().is_none()) {
        let _ = writeln!(text, "`{}` iterations.\n", count.text(names));
    }
    if let Some(launch) = launch {
        let counted = volume::of_loop(names.body, repetition, &launch.values, INTERACTIVE);
        let _ = writeln!(text, "In {}: {}.", launch.name, iterations(counted));
    }
    text
}

fn iterations(counted: Result<Option<Iterations>, Unmeasured>) -> String {
    match counted {
        Ok(None) => "the loop never runs".to_string(),
        Ok(Some(Iterations { each: (least, most), total, is_upper_bound })) => {
            let each = if least == most { most.to_string() } else { format!("{least} to {most}") };
            let plural = if (least, most) == (1, 1) { "" } else { "s" };
            let at_most = if is_upper_bound { "at most " } else { "" };
            format!("{each} iteration{plural} each time, {at_most}{total} in all tile blocks together")
        }
        Err(Unmeasured::TooMany) => "there are too many iterations to count".to_string(),
        Err(Unmeasured::TripCount | Unmeasured::Elements(_) | Unmeasured::Overflow(_)) => {
            "the number of iterations is unknown".to_string()
        }
    }
}

/// The ranges of the indices in the tile: `, for e0 < 64 and e1 < 32`.
fn lanes(access: &Access) -> String {
    let symbols = access.coordinates.iter().flatten().flat_map(Poly::symbols);
    let mut lanes: Vec<Symbol> = symbols.filter(|symbol| matches!(symbol, Symbol::Lane(..))).collect();
    lanes.sort_unstable();
    lanes.dedup();
    let ranges: Vec<String> = lanes
        .iter()
        .filter_map(|symbol| match symbol {
            Symbol::Lane(dim, extent) => Some(format!("`e{dim} < {extent}`")),
            _ => None,
        })
        .collect();
    if ranges.is_empty() { String::new() } else { format!(" for {}", ranges.join(", ")) }
}

/// The access map as a table: a row for each dimension of the tensor, a column for each coordinate.
fn table(map: &AccessMap, names: &SourceNames<'_>) -> String {
    let mut text = String::from("\n| access map |");
    for &coordinate in &map.coordinates {
        let _ = write!(text, " `{}` |", names.name(coordinate));
    }
    text += " start |\n|---|";
    text += &"---|".repeat(map.coordinates.len() + 1);
    text.push('\n');
    let dimensions = map.rows.iter().enumerate().map(|(dim, row)| (format!("dimension {dim}"), row));
    for (title, row) in dimensions.chain(map.tensor.iter().map(|row| ("start of the tensor".to_string(), row))) {
        let cells = row.factors.iter().chain([&row.offset]).map(|cell| format!(" {} |", cell.text(names)));
        let _ = writeln!(text, "| {title} |{}", cells.collect::<String>());
    }
    text
}

fn contiguity(access: &Access, body: &Body) -> Option<String> {
    let found = access.contiguity(body)?;
    let elements = access.tile.iter().product::<i64>();
    let bytes = (found.run * i64::from(memory_bits(access.element))) as u64 / 8;
    Some(match found.run {
        _ if elements == 1 => return None,
        run if run == elements => "All elements of a tile are adjacent in memory.".to_string(),
        1 => "No two elements of a tile are adjacent in memory.".to_string(),
        run => {
            let at_least = if found.is_exact() { "" } else { "At least " };
            format!("{at_least}{run} elements at a time are adjacent in memory ({}).", shown(bytes))
        }
    })
}

/// Where the runs of adjacent elements start.
fn alignment(access: &Access, body: &Body, launch: Option<&NamedLaunch>) -> Option<String> {
    let run = access.contiguity(body)?.run;
    let found = access.alignment(body, launch.map(|launch| &launch.values)).filter(|_| run > 1)?;
    let each = if run == access.tile.iter().product::<i64>() { "Each tile starts" } else { "Each run starts" };
    let mut text = format!(" {each} at a multiple of {} according to the program", bytes(found.stated));
    if let Some((launch, aligned)) = launch.zip(found.launched).filter(|(_, aligned)| *aligned > found.stated) {
        let _ = write!(text, ", and of {} in {}", bytes(aligned), launch.name);
    }
    Some(text + ".")
}

fn bytes(count: u32) -> String {
    if count == 1 { "1 byte".to_string() } else { format!("{count} bytes") }
}

fn in_launch(access: &Access, names: &SourceNames<'_>, launch: &NamedLaunch) -> String {
    let volume: Volume = match volume::of_access(names.body, access, &launch.values, INTERACTIVE) {
        Ok(volume) => volume,
        Err(why @ Unmeasured::Elements(executions)) => {
            let known = match access.map() {
                // The reason is that there is no access map.
                Err(_) => "only a run shows which elements".to_string(),
                Ok(_) => format!("only a run shows which elements, since {}", why.reason(access, names)),
            };
            return format!("In {}: {}; {known}.", launch.name, executions.times());
        }
        Err(why) => return format!("In {}: not counted, because {}.", launch.name, why.reason(access, names)),
    };
    let Coverage { accessed, masked, outside, out_of_bounds } = volume.coverage;
    let all = accessed + masked + outside + out_of_bounds;
    let share = |part: u64| format!("{:.0} %", 100.0 * part as f64 / all.max(1) as f64);
    let mut text = format!(
        "In {}: {}, {}{}",
        launch.name,
        volume.executions.times(),
        shown(volume.bytes(access)),
        if volume.unique == accessed {
            String::new()
        } else {
            format!(", {} distinct", shown(volume.unique_bytes(access)))
        }
    );
    if masked > 0 {
        let _ = write!(text, "; the mask excludes {} of the elements", share(masked));
    }
    if outside > 0 {
        let _ = write!(text, "; {} of the elements are outside of the tensor", share(outside));
    }
    if out_of_bounds > 0 {
        let _ = write!(text, "; **{out_of_bounds} elements are outside of the buffer**");
    }
    if volume.shared > 0 && access.direction != Direction::Read {
        let _ = write!(text, "; several tile blocks access {} of the same elements", volume.shared);
    }
    text + "."
}
