//! Where the tiles of a view lie, in words.

use super::type_words::{bytes_of, size};
use crate::types::{Access, TileViewType, Type};
use std::fmt::Write;

/// The names of indices.
const INDEX: [&str; 4] = ["x", "y", "z", "w"];

/// What can be told about a view beyond its type's one sentence, as a list in Markdown; empty for other types.
pub fn details(ty: Type) -> String {
    let Some(view) = ty.as_tile_view() else { return String::new() };
    let mut out = String::new();
    let bytes = bytes_of(view.tile_type()).map_or(String::new(), |bytes| format!(", {}", size(bytes)));
    let _ = writeln!(out, "- a tile: `{}`{bytes}", view.tile_type());
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

/// `16 × ⌈n / 64⌉`: `n` stands for what the program finds out when it runs.
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

/// `64·x`.
fn scaled(factor: i64, name: &str) -> String {
    if factor == 1 { name.to_string() } else { format!("{factor}·{name}") }
}

/// The dimension of the tile that lies along a dimension of the tensor.
fn tile_dim(view: &TileViewType, dim: usize) -> Option<usize> {
    (0..view.tile.len()).find(|&k| view.tensor_dim(k) == dim)
}

fn starts(view: &TileViewType) -> String {
    let along = |dim: usize| tile_dim(view, dim).map_or("0".to_string(), |k| scaled(view.step(k), &index(k)));
    (0..view.tensor().shape.len()).map(along).collect::<Vec<_>>().join(", ")
}

/// How far that is behind the start of the tensor.
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
    if terms.is_empty() { String::new() } else { format!(", {} elements behind the tensor's start", terms.join(" + ")) }
}

/// Whether tiles overlap or leave gaps.
fn steps(view: &TileViewType) -> Option<String> {
    let closer = (0..view.tile.len()).any(|k| view.step(k) < view.tile[k]);
    let farther = (0..view.tile.len()).any(|k| view.step(k) > view.tile[k]);
    match (closer, farther) {
        (true, _) => Some("neighbouring tiles overlap: two tile blocks that store may meet".to_string()),
        (_, true) => Some("between the tiles lie elements that no tile holds".to_string()),
        _ => None,
    }
}
