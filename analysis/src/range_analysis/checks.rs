//! Checks for ops that are certain to fail.

use super::range::IntRange;
use super::walk::Walk;
use crate::diagnostics::{self as d, Outside};
use crate::ir::{Op, OpId, Value};
use crate::types::Access;
use std::ops::Range;
use tile_dialect::Mnemonic as M;
use tile_dialect::OperandName;

/// Whether this module checks an op.
pub(super) fn applies_to(op: M) -> bool {
    is_access(op) || matches!(op, M::For | M::Extract | M::Insert)
}

/// Whether an op accesses a tile of a view by index.
fn is_access(op: M) -> bool {
    op.row().operand(OperandName::View).is_some() && op.row().operand(OperandName::Index).is_some()
}

pub(super) fn check(walk: &mut Walk, id: OpId, op: &Op) {
    match op.op {
        M::For => step(walk, id, op),
        M::Extract => slices(walk, id, op, Value(op.results.start), 0, 1),
        M::Insert => {
            if let Some(slice) = walk.facts.body.operand(op, 0) {
                slices(walk, id, op, slice, 1, 2);
            }
        }
        _ if is_access(op.op) => access(walk, id, op),
        _ => {}
    }
}

/// The operand index of the step of `for`.
const STEP: usize = 2;

/// Checks that the step of a loop is positive.
fn step(walk: &mut Walk, id: OpId, op: &Op) {
    let Some(step) = walk.facts.body.operand(op, STEP) else { return };
    if let Some(known) = walk.facts.get(step).filter(|known| known.high <= 0) {
        let found = d::for_step(operand_range(walk, id, (STEP, 0)), known.high);
        walk.found.push(found);
    }
}

/// Checks the indices of `extract` and `insert`, which count slices of the whole tile.
fn slices(walk: &mut Walk, id: OpId, op: &Op, slice: Value, tile: usize, indices: usize) {
    let body = walk.facts.body;
    let tile = body.operand(op, tile).and_then(|value| body.ty(value).as_tile());
    let (Some(tile), Some(slice)) = (tile, body.ty(slice).as_tile()) else { return };
    let counts = tile.shape.iter().zip(&slice.shape).map(|(tile, slice)| tile / slice);
    for (dim, (count, &index)) in counts.zip(body.group(op, indices)).enumerate() {
        if let Some(outside) = outside(walk, index, IntRange::exactly(count)) {
            let range = operand_range(walk, id, (indices, dim));
            walk.found.push(d::extract_range(
                range.clone(),
                &walk.text[text(&range)],
                op.op.row().name,
                dim,
                outside,
                count,
            ));
        }
    }
}

/// Checks that the indices of a load, a store or an atomic op through a view are in its index space.
fn access(walk: &mut Walk, id: OpId, op: &Op) {
    let (body, row) = (walk.facts.body, op.op.row());
    let (Some((viewed, _)), Some((indices, _))) = (row.operand(OperandName::View), row.operand(OperandName::Index))
    else {
        return;
    };
    let Some(view) = body.operand(op, viewed) else { return };
    let Some(ty) = body.ty(view).as_tile_view() else { return };
    for (dim, &index) in body.group(op, indices).iter().enumerate().take(ty.tile.len()) {
        let Some(space) = walk.facts.index_space(view, dim) else { continue };
        // Individual indices of a sparse dimension can be outside: loads pad them, stores skip them.
        let is_sparse = ty.access == Access::GatherScatter { sparse_dim: dim };
        let certain =
            outside(walk, index, space).filter(|outside| !is_sparse || !matches!(outside, Outside::Reaches(_)));
        if let Some(outside) = certain {
            let (index, view) = (operand_range(walk, id, (indices, dim)), operand_range(walk, id, (viewed, 0)));
            let kind = if matches!(ty.access, Access::GatherScatter { .. }) { "element" } else { "tile" };
            let names = (&walk.text[text(&index)], &walk.text[text(&view)]);
            let found = d::index_space(index.clone(), names.0, names.1, dim, outside, space.high, kind);
            walk.found.push(found);
        }
    }
}

/// How an unsigned index is certain to be outside `0..count`; `None` if it is not.
fn outside(walk: &Walk, index: Value, count: IntRange) -> Option<Outside> {
    let bits = walk.facts.bits(index)?;
    let index = walk.facts.get(index)?;
    // A negative number of many bits is outside either way, and is reported as written.
    let index = if bits < 32 { index.unsigned(bits) } else { index };
    let is_attained = walk.must_execute && index.attained;
    match index.only() {
        Some(only) => (only < 0 || only >= count.high).then_some(Outside::Is(only)),
        None if index.high < 0 => Some(Outside::AtMost(index.high)),
        None if index.low >= count.high => Some(Outside::AtLeast(index.low)),
        None if is_attained && index.high >= count.high => Some(Outside::Reaches(index.high)),
        None if is_attained && index.low < 0 => Some(Outside::Reaches(index.low)),
        None => None,
    }
}

/// The range of an operand in the text of an op, given by its group and its index in the group; the op's name if the
/// operand is not written. If a value is used several times, the uses are in the order of the operands.
fn operand_range(walk: &Walk, id: OpId, (group, place): (usize, usize)) -> Range<u32> {
    let (body, spans) = (walk.facts.body, walk.spans);
    let op = body.op(id);
    let index = (0..group).map(|group| body.group(op, group).len()).sum::<usize>() + place;
    let operands = body.operands(op);
    let earlier = operands[..index].iter().filter(|&&operand| operand == operands[index]).count();
    let statement = &spans.statements[id.0 as usize];
    let from = spans.uses.partition_point(|(range, _)| range.start < statement.start);
    let inside = spans.uses[from..].iter().take_while(|(range, _)| range.end <= statement.end);
    let found = inside.filter(|(_, used)| *used == operands[index]).nth(earlier);
    found.map_or_else(|| spans.op_names[id.0 as usize].clone(), |(range, _)| range.clone())
}

fn text(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}
