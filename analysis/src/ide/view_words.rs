//! Descriptions of the layout of a view's tiles.

use super::type_words::{bytes_of, size};
use crate::types::{Access, TileViewType, Type};
use std::fmt::Write;

/// The names of the tile indices.
const INDEX: [&str; 4] = ["x", "y", "z", "w"];

/// Returns details of a tile view (tile type, index space, tile positions) as a Markdown list; empty for other types.
pub fn details(ty: Type) -> String {
    let Some(view) = ty.as_tile_view() else { return String::new() };
    let mut out = String::new();
    let bytes = bytes_of(view.tile_type()).map_or(String::new(), |bytes| format!(", {}", size(bytes)));
    let _ = writeln!(out, "- tile: `{}`{bytes}", view.tile_type());
    if matches!(view.access, Access::GatherScatter { .. }) {
        return out;
    }
    let _ = writeln!(out, "- index space: {}", index_space(view));
    let _ = writeln!(out, "- tile `[{}]` starts at element `[{}]`{}", indices(view), starts(view), offset(view));
    if let Some(sentence) = steps(view) {
        let _ = writeln!(out, "- {sentence}");
    }
    out
}

fn index(k: usize) -> String {
    INDEX.get(k).map_or_else(|| format!("i{k}"), |name| name.to_string())
}

fn indices(view: &TileViewType) -> String {
    (0..view.tile.len()).map(index).collect::<Vec<_>>().join(", ")
}

/// The index space: `16 × ⌈extent 1 / 64⌉` if the extent of dimension 1 is dynamic.
fn index_space(view: &TileViewType) -> String {
    let tensor = view.tensor();
    let along = |k: usize| {
        let dim = view.tensor_dim(k);
        match tensor.shape.get(dim).copied().flatten() {
            Some(extent) => view.index_space(k, extent).to_string(),
            None => format!("⌈extent {dim} / {}⌉", view.step(k)),
        }
    };
    let all: Vec<String> = (0..view.tile.len()).map(along).collect();
    all.join(" × ") + if all.len() == 1 { " tiles" } else { "" }
}

/// Formats a product, such as `64·x`.
fn scaled(factor: i64, name: &str) -> String {
    if factor == 1 { name.to_string() } else { format!("{factor}·{name}") }
}

/// The tile dimension mapped to a tensor dimension.
fn tile_dim(view: &TileViewType, dim: usize) -> Option<usize> {
    (0..view.tile.len()).find(|&k| view.tensor_dim(k) == dim)
}

fn starts(view: &TileViewType) -> String {
    let along = |dim: usize| tile_dim(view, dim).map_or("0".to_string(), |k| scaled(view.step(k), &index(k)));
    (0..view.tensor().shape.len()).map(along).collect::<Vec<_>>().join(", ")
}

/// The offset of a tile in elements from the start of the tensor, as ` (offset 96·x + y)`.
fn offset(view: &TileViewType) -> String {
    let tensor = view.tensor();
    let term = |(dim, stride): (usize, &Option<i64>)| {
        let k = tile_dim(view, dim)?;
        Some(match stride {
            Some(0) => return None,
            Some(stride) => scaled(stride.saturating_mul(view.step(k)), &index(k)),
            None => format!("{}·stride {dim}", scaled(view.step(k), &index(k))),
        })
    };
    let terms: Vec<String> = tensor.strides.iter().enumerate().filter_map(term).collect();
    if terms.is_empty() { String::new() } else { format!(" (offset {})", terms.join(" + ")) }
}

/// A note if tiles overlap or leave gaps.
fn steps(view: &TileViewType) -> Option<String> {
    let closer = (0..view.tile.len()).any(|k| view.step(k) < view.tile[k]);
    let farther = (0..view.tile.len()).any(|k| view.step(k) > view.tile[k]);
    match (closer, farther) {
        (true, _) => Some("neighboring tiles overlap: stores from different tile blocks can conflict".to_string()),
        (_, true) => Some("there are gaps between tiles: some elements are in no tile".to_string()),
        _ => None,
    }
}
