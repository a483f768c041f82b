//! Inlay hints with the number of tiles of a view, where the view is created.

use super::super::value_name::value_name;
use super::super::view_words::{self, OpenSizes};
use super::statement::{Inlay, InlayKind, Statement};
use crate::types::Access;

pub(super) fn inlays(statement: &Statement, found: &mut Vec<Inlay>) {
    let body = &statement.item.lowered.body;
    let mut results = body.results(statement.op);
    let (Some(value), None) = (results.next(), results.next()) else { return };
    let Some(view) = body.ty(value).as_tile_view() else { return };
    if matches!(view.access, Access::GatherScatter { .. }) {
        return;
    }
    let item = statement.item;
    let name = |value| value_name(item.text, &item.lowered.spans, value);
    let sizes = OpenSizes::of(body, &item.known, value, name);
    let along = |k| view_words::tiles_along(view, k, &sizes).unwrap_or_else(|| "?".to_string());
    let all: Vec<String> = (0..view.tile.len()).map(along).collect();
    let tiles = if all.len() == 1 && all[0] == "1" { "tile" } else { "tiles" };
    let label = format!("{} {tiles}", all.join(" × "));
    let details = || view_words::details(body.ty(value), &sizes);
    found.push(statement.inlay(statement.range().end, label, InlayKind::IndexSpace, details));
}
