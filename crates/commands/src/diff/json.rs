//! The differences as JSON.

use super::excerpt::excerpt;
use super::program::Input;
use super::side_by_side::texts;
use super::words::harmless;
use serde_json::{Value, json};
use tile_diff::report::{Change, EntryDiff, OpDiff, OpPlace, Place, Report, SymbolDiff};

/// The whole report.
pub(super) fn report(a: &Input, b: &Input, report: &Report) -> Value {
    let [text_a, text_b] = texts(a, b, &tile_fmt::Options::default());
    json!({
        "a": a.name,
        "b": b.name,
        "verdict": report.verdict().name(),
        "normalized": { "a": text_a, "b": text_b },
        "producer": report.producer.as_ref().map(change),
        "symbols": report.symbols.iter().map(|found| symbol(a, b, found)).collect::<Vec<_>>(),
        "entries": report.entries.iter().map(|found| entry(a, b, found)).collect::<Vec<_>>(),
    })
}

fn symbol(a: &Input, b: &Input, found: &SymbolDiff) -> Value {
    json!({
        "kind": found.kind,
        "verdict": found.verdict().name(),
        "a": found.a.as_ref().map(|found| place(a, found)),
        "b": found.b.as_ref().map(|found| place(b, found)),
        "changes": found.changes.iter().map(change).collect::<Vec<_>>(),
    })
}

fn entry(a: &Input, b: &Input, found: &EntryDiff) -> Value {
    json!({
        "verdict": found.verdict().name(),
        "a": found.a.as_ref().map(|found| place(a, found)),
        "b": found.b.as_ref().map(|found| place(b, found)),
        "changes": found.changes.iter().map(change).collect::<Vec<_>>(),
        "shared_ops": found.shared,
        "ops": found.ops.iter().map(|found| op(a, b, found)).collect::<Vec<_>>(),
    })
}

fn op(a: &Input, b: &Input, found: &OpDiff) -> Value {
    json!({
        "verdict": found.verdict().name(),
        "harmless": found.harmless.map(harmless),
        "a": found.a.as_ref().map(|found| op_place(a, found)),
        "b": found.b.as_ref().map(|found| op_place(b, found)),
        "changes": found.changes.iter().map(change).collect::<Vec<_>>(),
    })
}

fn op_place(input: &Input, op: &OpPlace) -> Value {
    json!({ "op": op.name, "line": input.row(op.range.start), "ops": op.ops, "text": excerpt(input, op) })
}

fn place(input: &Input, place: &Place) -> Value {
    json!({ "name": place.name, "line": input.row(place.range.start) })
}

fn change(change: &Change) -> Value {
    json!({ "kind": change.kind.name(), "name": change.name, "a": change.a, "b": change.b })
}
