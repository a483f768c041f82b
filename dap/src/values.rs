//! The stack, scopes and variables of a stopped run.

use crate::protocol::{Described, Evaluated, Scope, Scopes, SourceFile, StackFrame, Variable, VariablesArguments};
use crate::source::Source;
use std::ops::Range;
use tile_analysis::ir::{OpId, Value};
use tile_analysis::types::Type;
use tile_backend::debug::Stopped;
use tile_engine::Shown;

/// The variable references of the scopes.
const VALUES: u64 = 1;
const PARAMETERS: u64 = 2;
const BLOCK: u64 = 3;

/// The elements of value N have the reference `ELEMENTS + N`.
const ELEMENTS: u64 = 1000;

/// How many elements are sent if the editor does not request a range.
const MAX_ELEMENTS: u64 = 1000;

/// The children of a variable reference.
pub(crate) enum Children {
    /// Variables of the stopped run.
    Known(Vec<Variable>),
    /// Elements of a tile, to be requested from the worker.
    Elements(Value, Range<u64>),
}

/// The stack: the next op, and the ops around it.
pub(crate) fn frames(source: &Source, stopped: &Stopped) -> Vec<StackFrame> {
    let op = OpId(stopped.op);
    let mut loops = stopped.iterations.iter().rev();
    let around = source.nesting.around(op).map(|op| {
        let name = source.body().op(op).op.row().name;
        let iteration = if matches!(name, "for" | "loop") { loops.next() } else { None };
        (iteration.map_or(name.to_string(), |iteration| format!("{name}, iteration {iteration}")), source.op(op))
    });
    let this = (source.body().op(op).op.row().name.to_string(), source.op(op));
    let entry = (format!("@{}", source.body().name), source.entry());
    let all = std::iter::once(this).chain(around).chain([entry]);
    let file = std::path::Path::new(&source.path).file_name().map(|name| name.to_string_lossy().into_owned());
    let frame = |(id, (name, place)): (usize, (String, tile_analysis::lines::Position))| StackFrame {
        id: id + 1,
        name,
        source: SourceFile { name: file.clone(), path: source.path.clone() },
        line: place.row,
        column: place.column,
    };
    all.enumerate().map(frame).collect()
}

/// The scopes of every frame.
pub(crate) fn scopes() -> Scopes {
    let scope = |name, variables_reference, presentation_hint| Scope {
        name,
        presentation_hint,
        variables_reference,
        expensive: false,
    };
    let parameters = scope("Parameters", PARAMETERS, None);
    Scopes { scopes: vec![scope("Values", VALUES, Some("locals")), parameters, scope("Tile block", BLOCK, None)] }
}

/// The variables or elements of a reference.
pub(crate) fn children(source: &Source, stopped: &Stopped, arguments: &VariablesArguments) -> Children {
    let &VariablesArguments { variables_reference: number, start: from, count } = arguments;
    if let Some(value) = number.checked_sub(ELEMENTS) {
        if value >= source.body().values.len() as u64 {
            return Children::Known(Vec::new());
        }
        let (from, count) = (from.unwrap_or(0), count.filter(|&count| count > 0).unwrap_or(MAX_ELEMENTS));
        return Children::Elements(Value(value as u32), from..from.saturating_add(count));
    }
    let parameters = source.body().params.len() as u32;
    let of = |is_parameter: bool| {
        // Tokens have no content to show.
        let is_shown = |value: u32| source.body().ty(Value(value)) != Type::token();
        let values = stopped.values.iter();
        let values = values.filter(move |(value, _)| (*value < parameters) == is_parameter && is_shown(*value));
        values.map(|(value, shown)| variable(source, Value(*value), shown))
    };
    Children::Known(match number {
        // The most recent values come first, since the next op is likely to use them.
        VALUES => of(false).rev().collect(),
        PARAMETERS => of(true).collect(),
        BLOCK => block(stopped),
        _ => Vec::new(),
    })
}

fn block(stopped: &Stopped) -> Vec<Variable> {
    let [x, y, z] = stopped.block;
    let loops = stopped.iterations.iter().enumerate();
    let loops = loops.map(|(depth, iteration)| plain(format!("iteration, loop {}", depth + 1), iteration.to_string()));
    std::iter::once(plain("coordinates".to_string(), format!("({x}, {y}, {z})"))).chain(loops).collect()
}

/// A variable without type and children.
fn plain(name: String, value: String) -> Variable {
    Variable { name, value, evaluate_name: None, described: Described::default() }
}

fn variable(source: &Source, value: Value, shown: &Shown) -> Variable {
    let name = source.name(value);
    let evaluate_name = Some(name.clone());
    Variable { name, value: shown.to_string(), evaluate_name, described: described(source, value) }
}

/// A value's type and the number of its elements.
fn described(source: &Source, value: Value) -> Described {
    let ty = source.body().ty(value);
    let count: i64 = ty.as_tile().map_or(0, |tile| tile.shape.iter().product());
    let is_list = count > 1;
    Described {
        ty: Some(ty.to_string()),
        variables_reference: if is_list { ELEMENTS + u64::from(value.0) } else { 0 },
        indexed_variables: is_list.then_some(count),
    }
}

/// Elements of a tile with their indices, starting at element `from`.
pub(crate) fn elements(source: &Source, value: Value, from: u64, elements: &[String]) -> Vec<Variable> {
    let ty = source.body().ty(value);
    let extents: &[i64] = ty.as_tile().map_or(&[], |tile| &tile.shape);
    let element = |(place, text): (u64, &String)| {
        let mut rest = place;
        let mut index: Vec<String> = Vec::with_capacity(extents.len());
        for &extent in extents.iter().rev() {
            index.push((rest % extent as u64).to_string());
            rest /= extent as u64;
        }
        index.reverse();
        plain(format!("[{}]", index.join(", ")), text.clone())
    };
    (from..).zip(elements).map(element).collect()
}

/// Evaluates the name of a value; the innermost one if there are several.
pub(crate) fn evaluate(source: &Source, stopped: &Stopped, expression: &str) -> Result<Evaluated, String> {
    let wanted = expression.trim().trim_start_matches('%');
    let matches = |value: u32| source.name(Value(value)).trim_start_matches('%') == wanted;
    let found = stopped.values.iter().rev().find(|(value, _)| matches(*value));
    let (value, shown) =
        found.ok_or_else(|| format!("no value `%{wanted}` here; only names of values can be evaluated"))?;
    Ok(Evaluated { result: shown.to_string(), described: described(source, Value(*value)) })
}
