//! Tables of the features in each version of the language.

use super::facts;
use std::fmt::Write;
use tile_dialect::{
    ARCHITECTURES, ASSUMPTION, AttrKind, AttrRow, ELEMENTS, ENUMS, EnumRow, Group, HINTS, HintRow, NAMED_ENUMS, OpRow,
    TYPE_NAMES, Version, ops, type_since,
};

/// The mark for a supported feature.
const YES: &str = "✓";

/// Returns one table for each kind of feature, in Markdown, with a column for each version.
pub fn versions() -> String {
    let ops = || ops().iter().copied().filter(|row| row.group != Group::Testing);
    let mut out = String::new();
    section(&mut out, "Ops", "A name instead of ✓ is the op's name in that version.", "op", ops().map(op));
    let parts = "Attributes, operands and results that were added after their op.";
    section(&mut out, "Parts of ops", parts, "op and part", ops().flat_map(parts_of));
    section(&mut out, "Types", "", "type", types());
    section(&mut out, "Values of attributes", "", "attribute and value", enums().flat_map(values_of));
    let hints = "The values that are used as written. Other values are ignored or clamped to the range.";
    section(&mut out, "Optimization hints", hints, "hint", HINTS.iter().map(hint));
    section(
        &mut out,
        "Architectures of hints",
        "",
        "architecture",
        ARCHITECTURES.iter().map(|row| (code(row.name), since(row.since))),
    );
    out.trim_end().to_string() + "\n"
}

/// The name of a row and its cells, one for each version.
type Row = (String, Vec<String>);

fn section(out: &mut String, title: &str, text: &str, first: &str, rows: impl Iterator<Item = Row>) {
    let _ = writeln!(out, "## {title}\n");
    if !text.is_empty() {
        let _ = writeln!(out, "{text}\n");
    }
    let versions: Vec<&str> = Version::ALL.into_iter().map(Version::name).collect();
    let _ = writeln!(out, "| {first} | {} |", versions.join(" | "));
    let _ = writeln!(out, "|---|{}", "---|".repeat(versions.len()));
    for (name, cells) in rows {
        let _ = writeln!(out, "| {name} | {} |", cells.join(" | "));
    }
    out.push('\n');
}

/// The cells of a feature added in a version.
fn since(version: Version) -> Vec<String> {
    cells(|column| (column >= version).then(|| YES.to_string()))
}

fn cells(cell: impl Fn(Version) -> Option<String>) -> Vec<String> {
    Version::ALL.into_iter().map(|column| cell(column).unwrap_or_default()).collect()
}

fn code(name: &str) -> String {
    format!("`{name}`")
}

fn op(row: &'static OpRow) -> Row {
    let spelling = |version: Version| {
        let mut used =
            row.spellings.iter().filter(|it| it.since <= version && it.until.is_none_or(|until| version < until));
        used.next().map(|spelling| spelling.name).filter(|name| *name != row.name)
    };
    let cell = |version| (version >= row.since).then(|| spelling(version).map_or(YES.to_string(), code));
    (code(row.name), cells(cell))
}

/// The parts that were added later than their op.
fn parts_of(row: &'static OpRow) -> Vec<Row> {
    let attrs = row.attrs.iter().map(|attr| ("", introducing_word(attr), attr.since));
    let operands = row.operands.iter().map(|operand| ("operand ", operand.name, operand.since));
    let results = row.results.iter().map(|result| ("result ", result.name, result.since));
    let later = attrs.chain(operands).chain(results).filter(|(.., version)| *version > row.since);
    later.map(|(kind, name, version)| (format!("`{}` {kind}`{name}`", row.name), since(version))).collect()
}

/// The word that introduces an attribute.
fn introducing_word(attr: &AttrRow) -> &'static str {
    match attr.kind {
        AttrKind::Flag(word) => word,
        AttrKind::Enum { wrapper, .. } if !wrapper.is_empty() => wrapper,
        _ => attr.name,
    }
}

fn types() -> impl Iterator<Item = Row> {
    let elements = ELEMENTS.iter().map(|row| (row.name, row.since));
    let composite = TYPE_NAMES.iter().map(|name| (*name, type_since(name)));
    elements.chain(composite).map(|(name, version)| (code(name), since(version)))
}

fn enums() -> impl Iterator<Item = &'static EnumRow> {
    let named = NAMED_ENUMS.into_iter().filter(|row| ENUMS.iter().all(|other| other.name != row.name));
    ENUMS.into_iter().filter(|row| row.name != ASSUMPTION.name).chain(named).chain([&ASSUMPTION])
}

fn values_of(row: &'static EnumRow) -> impl Iterator<Item = Row> {
    row.values.iter().zip(0..).map(|(value, index)| {
        // A value is available once some op takes it.
        let takes = |only: &[u8]| only.is_empty() || only.contains(&index);
        let users = facts::users(row).filter(|(.., only)| takes(only)).map(|(op, attr, _)| op.since.max(attr.since));
        let version = value.since.max(users.min().unwrap_or(value.since));
        (format!("{} `{}`", row.title, value.name), since(version))
    })
}

fn hint(row: &'static HintRow) -> Row {
    (code(row.name), cells(|version| Some(row.range(version).to_string())))
}
