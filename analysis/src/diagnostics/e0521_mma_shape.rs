//! E0521: mma shape.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::TileType;
use std::ops::Range;

/// The page of E0521.
pub(super) static PAGE: Page = Page {
    code: "E0521",
    name: "mma-shape",
    severity: Severity::Error,
    text: r#"A matrix product multiplies an M x K tile by a K x N tile and adds an M x N tile. The tiles have
rank 2, or rank 3 with a leading batch dimension that is the same for all three."#,
    fix: r#"Correct the extents. If a matrix is stored transposed, swap its dimensions with `permute`, or load
it through a view with `dim_map=[1, 0]`."#,
    see: &["E0522", "E0523", "mmaf", "permute", "dim_map"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <f32: 1.0> : tile<4x8xf32>
    %c = constant <f32: 0.0> : tile<4x4xf32>
    %d = mmaf %a, %a, %c : tile<4x8xf32>, tile<4x8xf32>, tile<4x4xf32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <f32: 1.0> : tile<4x8xf32>
    %b = constant <f32: 1.0> : tile<8x4xf32>
    %c = constant <f32: 0.0> : tile<4x4xf32>
    %d = mmaf %a, %b, %c : tile<4x8xf32>, tile<8x4xf32>, tile<4x4xf32>
  }
}
"#,
};

/// A rank other than 2 or 3.
pub(crate) fn mma_rank(range: Range<u32>, rank: usize) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("matrices must have rank 2, or 3 with a batch dimension, found rank {rank}"))
}

/// Extents that do not match.
pub(crate) fn mma_shape(range: Range<u32>, what: &str, a: &TileType, b: &TileType, c: &TileType) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("{what} must agree"))
        .here(format!("`{a}` times `{b}` plus `{c}`"))
        .note("the operands have shapes [B x] M x K, [B x] K x N and [B x] M x N")
}
