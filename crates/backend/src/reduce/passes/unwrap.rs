//! Replacement of an op by one of its regions: the body of a loop, or one branch of an `if`.

use super::ops::constant;
use super::units::{Cuts, Units};
use crate::reduce::edits::EditSet;
use crate::reduce::program::{Item, ParsedProgram};
use std::ops::Range;
use tile_analysis::ir::{Op, OpId, RegionId, Value};
use tile_syntax::{Node, NodeKind};

/// Every region of every op, outermost first.
pub(super) fn regions(program: &ParsedProgram) -> Box<dyn Units + '_> {
    let of_item = |item| {
        let ops = all_ops(item).flat_map(move |(id, op)| (0..op.regions.len()).map(move |index| (id, index)));
        ops.filter_map(move |(id, index)| unwrapped(program, item, id, index))
    };
    Cuts::boxed(program, program.items.iter().flat_map(of_item))
}

fn all_ops(item: &Item) -> impl Iterator<Item = (OpId, &Op)> {
    item.lowered.body.ops.iter().enumerate().map(|(index, op)| (OpId(index as u32), op))
}

/// Replaces an op by one of its regions.
fn unwrapped(program: &ParsedProgram, item: &Item, id: OpId, index: usize) -> Option<EditSet> {
    let (text, body, spans) = (program.text_of(item), &item.lowered.body, &item.lowered.spans);
    let op = body.op(id);
    let region = body.regions_of(op).nth(index)?;
    let statement = spans.statements[id.0 as usize].clone();
    let inside = inside(item, &statement, index)?;
    let terminator = body.region(region).ops.last().copied().filter(|last| body.op(*last).op.row().is_terminator());
    // An implicit terminator is at the closing brace.
    let end = terminator.map_or(inside.end, |last| spans.statements[last.0 as usize].start.min(inside.end));
    let mut edits = EditSet::default();
    let mut before = String::new();
    for (argument, replacement) in arguments(item, op, region) {
        let name = match replacement {
            Some(operand) => item.name_of(text, operand)?,
            None => define(item, text, argument, &mut before)?,
        };
        rename(item, argument, &name, &(inside.start..end), &mut edits);
    }
    let yielded = terminator.map_or(&[][..], |last| body.operands(body.op(last)));
    let mut after = String::new();
    for (place, result) in body.results(op).enumerate() {
        let own = yielded.get(place).copied().filter(|value| body.ty(*value) == body.ty(result));
        let is_used = spans.uses.iter().any(|(range, used)| *used == result && range.start >= statement.end);
        if !is_used {
            continue;
        }
        let name = match own {
            Some(value) => outer_name(item, text, op, region, value)?,
            None => define(item, text, result, &mut after)?,
        };
        rename(item, result, &name, &(statement.end..u32::MAX), &mut edits);
    }
    edits.replace(item.in_file(&(statement.start..inside.start)), before);
    edits.replace(item.in_file(&(end..statement.end)), after);
    Some(edits)
}

/// The range between the braces of a region.
fn inside(item: &Item, statement: &Range<u32>, index: usize) -> Option<Range<u32>> {
    let tree = &item.tree;
    let mut nodes = tree.descendants(Node::ROOT);
    let node = nodes.find(|&node| tree.kind(node) == NodeKind::Op && tree.range(node) == *statement)?;
    let region = tree.children_of(node, NodeKind::Region).nth(index)?;
    let range = tree.range(region);
    (range.len() >= 2).then(|| range.start + 1..range.end - 1)
}

/// The replacement for each argument of a region: the operand at the same index from the end, or else any operand of
/// its type.
fn arguments(item: &Item, op: &Op, region: RegionId) -> Vec<(Value, Option<Value>)> {
    let body = &item.lowered.body;
    let (all, operands) = (&body.region(region).args, body.operands(op));
    let one = |(index, argument): (usize, &Value)| {
        let ty = body.ty(*argument);
        let opposite = (operands.len() + index).checked_sub(all.len()).and_then(|index| operands.get(index));
        let found = opposite.into_iter().chain(operands).find(|operand| body.ty(**operand) == ty);
        (*argument, found.copied())
    };
    all.iter().enumerate().map(one).collect()
}

/// The name outside of the region for a value that the region yields.
fn outer_name(item: &Item, text: &str, op: &Op, region: RegionId, value: Value) -> Option<String> {
    let arguments = arguments(item, op, region);
    let replacement = arguments.iter().find(|(argument, _)| *argument == value);
    match replacement {
        Some((_, Some(operand))) => item.name_of(text, *operand),
        Some((_, None)) => Some(item.name_of(text, value)?.replace('#', "_")),
        None => item.name_of(text, value),
    }
}

/// Defines a constant to replace a value. Returns its name.
fn define(item: &Item, text: &str, value: Value, out: &mut String) -> Option<String> {
    let name = item.name_of(text, value)?.replace('#', "_");
    out.push_str(&constant(&name, item.lowered.body.ty(value))?);
    out.push('\n');
    Some(name)
}

fn rename(item: &Item, value: Value, name: &str, within: &Range<u32>, edits: &mut EditSet) {
    let uses = item.lowered.spans.uses.iter().filter(|(_, used)| *used == value);
    for (range, _) in uses.filter(|(range, _)| within.start <= range.start && range.end <= within.end) {
        edits.replace(item.in_file(range), name);
    }
}
