//! Hovers for values.

use super::super::cursor::Cursor;
use super::super::value_name::value_name;
use super::super::view_words::{self, OpenSizes};
use super::super::{definition, rule_words, type_words, types_at};
use super::content::{Hover, code};
use super::facts;
use crate::ir::{Attr, Body, Def, Dense, Op, OpId, RegionId, Value};
use crate::lower::Lowered;
use crate::number;
use crate::range_analysis;
use std::fmt::Write;
use std::ops::Range;
use tile_dialect::{Element, Mnemonic, OpRow};

/// The maximum number of constant elements shown.
const MAX_ELEMENTS: usize = 8;

/// The maximum number of characters shown of a line of a statement.
const MAX_LINE_LENGTH: usize = 160;

/// The maximum number of lines of a statement shown.
const MAX_LINES: usize = 6;

/// The hover for a value: its type, its known contents, its definition and its uses.
pub(super) fn hover(cursor: &Cursor) -> Option<Hover> {
    let (range, value) = cursor.value()?;
    let lowered = cursor.lowered.filter(|lowered| definition::defines(lowered, value))?;
    let values = values_at(lowered, &range, value);
    let mut text = code(&signatures(cursor, lowered, &values));
    let ty = lowered.body.ty(value);
    let words = type_words::words(ty);
    if !words.is_empty() && values.iter().all(|&other| lowered.body.ty(other) == ty) {
        let _ = writeln!(text, "\n{}{words}", if values.len() > 1 { "Each: " } else { "" });
    }
    let name = |value| value_name(cursor.text, &lowered.spans, value);
    let sizes = || OpenSizes::of(&lowered.body, &facts::known_of(cursor.text, lowered), value, name);
    let details = if ty.as_tile_view().is_some() { view_words::details(ty, &sizes()) } else { String::new() };
    if !details.is_empty() {
        let _ = write!(text, "\n{details}");
    }
    facts(&mut text, cursor, lowered, &values);
    origin(&mut text, cursor, lowered, value);
    let _ = writeln!(text, "\n{}", facts::uses(lowered, &values));
    Some(Hover { range: cursor.in_file(&range), text })
}

/// Writes the statically known contents and the assumptions.
fn facts(text: &mut String, cursor: &Cursor, lowered: &Lowered, values: &[Value]) {
    let body = &lowered.body;
    let &[value] = values else { return };
    let bounds = || facts::bounds(&facts::known_of(cursor.text, lowered), body, value);
    match known(body, value) {
        Some(known) => {
            let _ = writeln!(text, "\nAlways `{}`.", shown(known));
        }
        None => bounds().into_iter().for_each(|bounds| {
            let _ = writeln!(text, "\n{bounds}");
        }),
    }
    let assumptions = facts::assumptions(body, value);
    if !assumptions.is_empty() {
        let _ = writeln!(text, "\nAssumed to be {}.", assumptions.join(" and "));
    }
}

/// The values at the cursor: all values of a pack on its name.
fn values_at(lowered: &Lowered, range: &Range<u32>, value: Value) -> Vec<Value> {
    let spans = &lowered.spans;
    if spans.definition(value) != *range {
        return vec![value];
    }
    let all = (0..spans.definitions.len() as u32).map(Value);
    all.filter(|&other| spans.definition(other) == *range).collect()
}

/// The values as `%a: tile<f32>`, one per line.
fn signatures(cursor: &Cursor, lowered: &Lowered, values: &[Value]) -> String {
    let lines = values
        .iter()
        .map(|&value| format!("{}: {}", value_name(cursor.text, &lowered.spans, value), lowered.body.ty(value)));
    lines.collect::<Vec<_>>().join("\n")
}

/// The statically known contents of a value: a constant, or a tile broadcast or reshaped from one.
fn known(body: &Body, value: Value) -> Option<&Dense> {
    let mut value = value;
    loop {
        let op = body.op(body.defining_op(value)?);
        match op.op {
            Mnemonic::Constant => {
                let dense = (0..op.op.row().attrs.len()).find_map(|index| match body.attr(op, index) {
                    Attr::Dense(dense) => Some(&**dense),
                    _ => None,
                });
                return dense.filter(|dense| !dense.bits.is_empty());
            }
            Mnemonic::Broadcast | Mnemonic::Reshape => value = body.operand(op, 0)?,
            _ => return None,
        }
    }
}

fn shown(dense: &Dense) -> String {
    let numbers: Vec<String> = dense.bits.iter().take(MAX_ELEMENTS).map(|&bits| number(dense.element, bits)).collect();
    match dense.bits.len() {
        1 => numbers[0].clone(),
        n if n > MAX_ELEMENTS => format!("[{}, …]", numbers.join(", ")),
        _ => format!("[{}]", numbers.join(", ")),
    }
}

/// A number from its bits.
pub(super) fn number(element: Element, bits: u64) -> String {
    match element {
        Element::I1 => (bits & 1 == 1).to_string(),
        _ if element.is_int() => number::decode_int(element, bits).to_string(),
        Element::F64 => format!("{:?}", number::decode(element, bits)),
        _ => format!("{:?}", number::decode(element, bits) as f32),
    }
}

/// Writes the definition of a value.
fn origin(text: &mut String, cursor: &Cursor, lowered: &Lowered, value: Value) {
    let body = &lowered.body;
    if let Some(Def::Result(id, index)) = body.def(value) {
        let op = body.op(id);
        let statement = &lowered.spans.statements[id.0 as usize];
        let line = excerpt(&cursor.text[statement.start as usize..statement.end as usize]);
        let result = result_name(op.op.row(), index);
        let _ = write!(text, "\nResult{result} of `{}`:\n\n{}", op.op.row().name, code(&line));
        if let Some(reason) = reason(cursor, statement, op, value) {
            let _ = writeln!(text, "\n{reason}");
        }
        return;
    }
    let region = body.regions.iter().position(|region| region.args.contains(&value));
    match region {
        Some(0) => {
            let at = body.regions[0].args.iter().position(|&arg| arg == value).unwrap_or(0);
            let _ = writeln!(text, "\nParameter {} of `@{}`.", at + 1, body.name);
        }
        Some(index) => {
            let known = facts::known_of(cursor.text, lowered);
            block_argument(text, body, &known, RegionId(index as u32), value);
        }
        None => {}
    }
}

/// The rule that a result type is inferred from, if the statement does not state the type.
fn reason(cursor: &Cursor, statement: &Range<u32>, op: &Op, value: Value) -> Option<String> {
    let row = op.op.row();
    let rank = (value.0 - op.results.start) as usize;
    let result = row.results.get(rank.min(row.results.len().checked_sub(1)?))?;
    let node = types_at::statement_at(cursor.tree, statement.start)?;
    if types_at::states_result(cursor.tree, cursor.text, node, row, result.name) {
        return None;
    }
    let rule = rule_words::rule_of(row, result.name);
    Some(match rule {
        Some(rule) => format!("Type inferred: {}", lower_first(&rule)),
        None => "Type inferred from the op and its operands.".to_string(),
    })
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_lowercase().chain(chars).collect())
}

/// The name of a result in the op table; empty if the op has only one result.
fn result_name(row: &OpRow, rank: usize) -> String {
    let found = row.results.get(rank).filter(|_| row.results.len() > 1);
    found.map_or(String::new(), |result| format!(" `%{}`", result.name))
}

/// The first lines of a statement, up to its region.
fn excerpt(statement: &str) -> String {
    let mut out = String::new();
    let lines: Vec<&str> = statement.trim_end().lines().collect();
    let head = lines.iter().position(|line| line.trim_end().ends_with('{')).map_or(lines.len(), |brace| brace + 1);
    let shown = head.min(MAX_LINES);
    for (index, line) in lines[..shown].iter().enumerate() {
        let line = if index == 0 { line.trim_end().to_string() } else { format!("\n    {}", line.trim()) };
        match line.char_indices().nth(MAX_LINE_LENGTH) {
            Some((cut, _)) => out += &format!("{}…", &line[..cut]),
            None => out += &line,
        }
    }
    if shown < lines.len() { out + " …" } else { out }
}

fn block_argument(text: &mut String, body: &Body, known: &range_analysis::KnownValues, region: RegionId, value: Value) {
    let owner = (0..body.ops.len()).map(|id| OpId(id as u32)).find(|&id| body.op(id).regions.contains(&region.0));
    let Some(op) = owner.map(|id| body.op(id).op) else { return };
    let rank = body.region(region).args.iter().position(|&arg| arg == value).unwrap_or(0);
    let description = match op {
        Mnemonic::For if rank == 0 => {
            let count = range_analysis::trip_count(body, body.op(owner.unwrap_or(OpId(0))), known);
            let count = count.map_or(String::new(), |count| format!(": {count}"));
            format!("Loop counter of this `for`{count}.")
        }
        Mnemonic::For | Mnemonic::Loop => {
            format!("Loop-carried value of this `{}`.", op.row().name)
        }
        _ => format!("Argument {} of the body of this `{}`.", rank + 1, op.row().name),
    };
    let _ = writeln!(text, "\n{description}");
}
