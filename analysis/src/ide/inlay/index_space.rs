//! Inlay hints with the number of tiles of a view, where the view is created.

use super::super::view_words;
use super::statement::{Inlay, InlayKind, Statement};
use crate::ir::{Op, Value};
use crate::types::{Access, TileViewType};
use tile_dialect::OperandName;

pub(super) fn inlays(statement: &Statement, found: &mut Vec<Inlay>) {
    let body = &statement.item.lowered.body;
    let mut results = body.results(statement.op);
    let (Some(value), None) = (results.next(), results.next()) else { return };
    let Some(view) = body.ty(value).as_tile_view() else { return };
    if matches!(view.access, Access::GatherScatter { .. }) {
        return;
    }
    let all: Vec<String> = (0..view.tile.len()).map(|k| along(statement, view, k)).collect();
    let tiles = if all.len() == 1 && all[0] == "1" { "tile" } else { "tiles" };
    let label = format!("{} {tiles}", all.join(" × "));
    found.push(
        statement.inlay(statement.range().end, label, InlayKind::IndexSpace, || view_words::details(body.ty(value))),
    );
}

/// The number of tiles along a dimension: a number if it is known, or else a formula over the extent's value.
fn along(statement: &Statement, view: &'static TileViewType, k: usize) -> String {
    let dim = view.tensor_dim(k);
    if let Some(&Some(extent)) = view.tensor().shape.get(dim) {
        return view.index_space(k, extent).to_string();
    }
    let Some(value) = extent_of(statement, view, dim) else { return "?".to_string() };
    let item = statement.item;
    if let Some(extent) = item.known.only(value).filter(|extent| (0..=i64::MAX / 2).contains(extent)) {
        return view.index_space(k, extent).to_string();
    }
    let place = item.lowered.spans.definition(value);
    let name = statement.text(&place);
    match (name.starts_with('%'), view.step(k)) {
        (false, _) => "?".to_string(),
        (true, 1) => name.to_string(),
        (true, step) => format!("⌈{name}/{step}⌉"),
    }
}

/// The value that gives the extent of the tensor along a dynamic dimension.
fn extent_of(statement: &Statement, view: &'static TileViewType, dim: usize) -> Option<Value> {
    let body = &statement.item.lowered.body;
    let tensor = body.operands(statement.op).first().copied()?;
    let definition: &Op = body.op(body.defining_op(tensor)?);
    let (group, _) = definition.op.row().operand(OperandName::DynamicShape)?;
    let open = view.tensor().shape[..dim].iter().filter(|extent| extent.is_none()).count();
    body.group(definition, group).get(open).copied()
}
