//! Reductions and scans.

use super::{Cx, Found};
use crate::diagnostics as d;
use crate::ir::{Attr, Op};
use crate::types::Type;
use tile_dialect::Mnemonic;

/// Operands of one shape, a dimension of it, one identity each, and results that follow from them.
pub(super) fn operands(cx: &Cx, op: &Op, found: Found) {
    let row = op.op.row();
    let place = cx.places.name.clone();
    let tiles: Vec<_> = cx.body.group(op, 0).iter().filter_map(|&value| cx.body.ty(value).as_tile()).collect();
    let Some(first) = tiles.first() else { return };
    if tiles.len() != cx.body.group(op, 0).len() {
        return;
    }
    if let Some(other) = tiles.iter().find(|tile| tile.shape != first.shape) {
        return found.push(d::reduce(
            place,
            row.name,
            &format!("its operands differ in shape: `{first}` and `{other}`"),
        ));
    }
    let Some(dim) = cx.attr(op, "dim").as_int() else { return };
    if dim < 0 || dim as usize >= first.rank() {
        return found.push(d::dimension_range(cx.attr_place(op, "dim"), row.name, dim, first.rank()));
    }
    if let Attr::Identities(identities) = cx.attr(op, "identities") {
        let place = cx.attr_place(op, "identities");
        if identities.len() != tiles.len() {
            let what = format!("it has {} operands but {} identities", tiles.len(), identities.len());
            return found.push(d::reduce(place, row.name, &what));
        }
        let wrong = identities.iter().zip(&tiles).find(|((element, _), tile)| tile.number() != Some(*element));
        if let Some(((element, _), tile)) = wrong {
            let what = format!("an identity is `{element}` but its operand is `{tile}`");
            return found.push(d::reduce(place, row.name, &what));
        }
    }
    results(cx, op, dim as usize, found);
}

fn results(cx: &Cx, op: &Op, dim: usize, found: Found) {
    let row = op.op.row();
    let operands = cx.body.group(op, 0);
    if operands.len() != op.results.len() {
        let what = format!("it has {} operands but {} results", operands.len(), op.results.len());
        return found.push(d::reduce(cx.places.name.clone(), row.name, &what));
    }
    for (&operand, result) in operands.iter().zip(cx.body.results(op)) {
        let Some(tile) = cx.body.ty(operand).as_tile() else { continue };
        let mut shape = tile.shape.to_vec();
        if op.op == Mnemonic::Reduce {
            shape.remove(dim);
        }
        let (expected, stated) = (Type::tile_of(&shape, tile.element), cx.body.ty(result));
        if stated != expected && !stated.is_unknown() {
            return found.push(d::wrong_result_type(cx.result_place(0), row.name, expected, stated));
        }
    }
}

/// Two scalar arguments for each operand, and as many yielded.
pub(super) fn body(cx: &Cx, op: &Op, found: Found) {
    let row = op.op.row();
    let Some(region) = cx.body.regions_of(op).next() else { return };
    let region = cx.body.region(region);
    let operands = cx.body.group(op, 0);
    let place = cx.places.name.clone();
    if region.args.len() != 2 * operands.len() {
        let what = format!(
            "its region needs {} arguments, two for each operand, but has {}",
            2 * operands.len(),
            region.args.len()
        );
        return found.push(d::reduce(place, row.name, &what));
    }
    for (index, &arg) in region.args.iter().enumerate() {
        let Some(tile) = cx.body.ty(operands[index / 2]).as_tile() else { continue };
        let (expected, stated) = (Type::tile_of(&[], tile.element), cx.body.ty(arg));
        if stated != expected && !stated.is_unknown() {
            let what = format!("argument {index} of its region must be `{expected}`, not `{stated}`");
            return found.push(d::reduce(place, row.name, &what));
        }
    }
}
