//! Facts about a topic derived from the tables, such as its values and the ops that take it.

use super::super::gpu_words;
use std::fmt::Write;
use tile_dialect::{
    Architecture, AttrKind, AttrRow, Class, ElementRow, EnumRow, EnumValue, Gpu, HintRow, NUMBERS, OpRow, Presence,
    Version, ops,
};

/// The maximum number of ops to list for an element type.
const MAX_OPS_OF_ELEMENT: usize = 12;

/// The keyword of an attribute.
pub(super) fn keyword(attr: &AttrRow) -> &'static str {
    match attr.kind {
        AttrKind::Flag(word) => word,
        _ => attr.name,
    }
}

/// The ops that have an attribute with this keyword, with the attribute. Enums are excluded.
fn attributes(word: &str) -> impl Iterator<Item = (&'static OpRow, &'static AttrRow)> {
    let of_op = |row: &&'static OpRow| {
        let row: &'static OpRow = row;
        row.attrs.iter().map(move |attr| (row, attr))
    };
    ops()
        .iter()
        .flat_map(of_op)
        .filter(move |(_, attr)| keyword(attr) == word && !matches!(attr.kind, AttrKind::Enum { .. }))
}

/// The documentation of the attributes with a keyword. If it differs between ops, one sentence for each meaning.
pub(super) fn attribute_doc(word: &str) -> String {
    let mut meanings: Vec<(&str, Vec<&str>)> = Vec::new();
    for (row, attr) in attributes(word) {
        match meanings.iter_mut().find(|(doc, _)| *doc == attr.doc) {
            Some((_, names)) => names.push(row.name),
            None => meanings.push((attr.doc, vec![row.name])),
        }
    }
    match &meanings[..] {
        [(doc, _)] => doc.to_string(),
        _ => {
            let each = meanings.iter().map(|(doc, names)| format!("In {}: {}", quoted(names), lower_first(doc)));
            each.collect::<Vec<_>>().join(" ")
        }
    }
}

pub(super) fn attribute_since(word: &str) -> Option<Version> {
    attributes(word).map(|(row, attr)| attr.since.max(row.since)).min()
}

/// The ops that have an attribute with this keyword, as a sentence.
pub(super) fn attribute_ops(word: &str) -> String {
    let names: Vec<&str> = attributes(word).map(|(row, _)| row.name).collect();
    format!("Used by {}.", quoted(&names))
}

/// The ops with an attribute of an enum type.
pub(super) fn users(of: &EnumRow) -> impl Iterator<Item = (&'static OpRow, &'static AttrRow, &'static [u8])> {
    let name = of.name;
    ops().iter().flat_map(move |row| {
        let row: &'static OpRow = row;
        row.attrs.iter().filter_map(move |attr| match attr.kind {
            AttrKind::Enum { of, only, .. } if of.name == name => Some((row, attr, only)),
            AttrKind::Predicate if name == tile_dialect::ASSUMPTION.name => Some((row, attr, &[][..])),
            _ => None,
        })
    })
}

/// The ops that take any value of an enum, as a sentence; empty if there are none.
pub(super) fn enum_ops(of: &EnumRow) -> String {
    match quoted(&deduplicated(users(of).map(|(row, ..)| row.name))) {
        names if names.is_empty() => names,
        names => format!("Used by {names}."),
    }
}

/// The ops that take one value of an enum, and those that default to it, as a sentence; empty if there are none.
pub(super) fn value_ops(of: &EnumRow, value: u8) -> String {
    let takes = |only: &[u8]| only.is_empty() || only.contains(&value);
    let all = deduplicated(users(of).filter(|(.., only)| takes(only)).map(|(row, ..)| row.name));
    let defaults = users(of).filter(|(_, attr, _)| attr.presence == Presence::Default(value));
    let defaults = deduplicated(defaults.map(|(row, ..)| row.name));
    match (&defaults[..], quoted(&all)) {
        (_, names) if names.is_empty() => String::new(),
        ([], names) => format!("Used by {names}."),
        (_, names) if defaults == all => format!("Used by {names}; it is the default."),
        _ => format!("Used by {}; it is the default for {}.", quoted(&all), quoted(&defaults)),
    }
}

/// A value of an enum as ops write it: `rounding<zero>`.
pub(super) fn wrapped(of: &EnumRow, value: u8) -> Option<String> {
    users(of).find_map(|(_, attr, _)| match attr.kind {
        AttrKind::Enum { wrapper, .. } if !wrapper.is_empty() => Some(format!("{wrapper}<{}>", of.keyword(value))),
        _ => None,
    })
}

/// The range of a hint, such as `a number from 1 to 10`, with versions if it has changed.
pub(super) fn hint_range(row: &HintRow) -> String {
    let [(_, oldest), newer @ ..] = row.ranges else { return String::new() };
    let changes = newer.iter().map(|(since, range)| format!("; since {since}, {range}"));
    let oldest = match newer.first() {
        Some((until, _)) => format!("{oldest} before {until}"),
        None => oldest.to_string(),
    };
    oldest + &changes.collect::<String>()
}

/// The ops that take a hint, as a sentence.
pub(super) fn hint_ops(row: &HintRow) -> String {
    let names: Vec<&str> = row.ops.iter().map(|op| op.row().name).collect();
    let clusters = if row.of_clusters { " On architectures without clusters it must be 1." } else { "" };
    format!("Used by {}.{clusters}", quoted(&names))
}

/// The features that a GPU does not support, as a sentence.
pub(super) fn architecture_lacks(row: &Architecture) -> String {
    Gpu::from_name(row.name).and_then(gpu_words::lacks).unwrap_or_default()
}

/// The GPUs that support a value of an enum, as a sentence; empty if all do.
pub(super) fn value_needs(value: &EnumValue) -> String {
    gpu_words::needs("It", value.gpus).unwrap_or_default()
}

pub(super) fn architecture_doc(row: &Architecture) -> String {
    match row.name {
        "default" => "The hints for architectures that are not listed.".to_string(),
        name => {
            let clusters = if row.has_clusters { "with" } else { "without" };
            format!("GPUs of compute capability {}, {clusters} clusters of thread blocks.", capability(name))
        }
    }
}

/// `sm_100` as `10.0`.
fn capability(name: &str) -> String {
    let digits = name.trim_start_matches("sm_");
    let (major, minor) = digits.split_at(digits.len().saturating_sub(1));
    format!("{major}.{minor}")
}

/// The size of an element type, and the ops that take it.
pub(super) fn element(row: &ElementRow) -> Vec<String> {
    let bits = row.bits;
    let memory = match row.element.nibbles() {
        1 => "two elements share a byte of memory".to_string(),
        2 => "an element takes 1 byte of memory".to_string(),
        nibbles => format!("an element takes {} bytes of memory", nibbles / 2),
    };
    let plural = if bits == 1 { "" } else { "s" };
    let mut out = vec![format!("It has {bits} bit{plural}; {memory}.")];
    out.extend(gpu_words::needs("It", row.gpus));
    let takes = |class: Class| match class {
        Class::TileOf(elements) if elements.len() == NUMBERS.len() => false,
        Class::TileOf(elements) | Class::ScalarOf(elements) => elements.contains(&row.element),
        _ => false,
    };
    let names: Vec<&str> =
        ops().iter().filter(|op| op.operands.iter().any(|operand| takes(operand.class))).map(|op| op.name).collect();
    if (1..=MAX_OPS_OF_ELEMENT).contains(&names.len()) {
        out.push(format!("Among ops restricted to certain element types, {} take it.", quoted(&names)));
    }
    out
}

/// The values of an enum, one per line.
pub(super) fn values(of: &EnumRow) -> String {
    of.values.iter().fold(String::new(), |mut out, value| {
        let _ = writeln!(out, "- `{}`: {}", value.name, value.doc);
        out
    })
}

fn deduplicated<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names: Vec<&str> = names.collect();
    names.dedup();
    names
}

/// `a`, `b` and `c`.
fn quoted(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_lowercase().chain(chars).collect())
}
