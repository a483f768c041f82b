//! The shapes of nearby tiles.

use super::statement::Statement;

impl Statement {
    /// The shapes of visible tiles and of the tiles of visible views, nearest first, each once.
    pub(super) fn shapes(&self) -> Vec<Vec<i64>> {
        let mut shapes: Vec<Vec<i64>> = Vec::new();
        for ty in &self.visible {
            let shape = match (ty.as_tile(), ty.as_tile_view()) {
                (Some(tile), _) => tile.shape.to_vec(),
                (_, Some(view)) => view.tile.to_vec(),
                _ => continue,
            };
            if !shapes.contains(&shape) {
                shapes.push(shape);
            }
        }
        shapes
    }
}

/// A usual shape of a tile of this rank.
pub(super) fn usual(rank: usize) -> Vec<i64> {
    match rank {
        1 => vec![128],
        _ => (0..rank).map(|dim| if dim + 2 < rank { 1 } else { 64 }).collect(),
    }
}
