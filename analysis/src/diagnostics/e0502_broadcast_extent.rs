//! E0502: broadcast extent.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::TileType;
use std::ops::Range;

/// The page of E0502.
pub(super) static PAGE: Page = Page {
    code: "E0502",
    name: "broadcast-extent",
    severity: Severity::Error,
    text: r#"`broadcast` repeats a tile along the dimensions whose extent is 1, and keeps all other extents. An
extent other than 1 cannot be changed, and the rank stays the same."#,
    fix: "Insert dimensions of extent 1 with `reshape` first: a row of `tile<8xf32>` becomes `tile<1x8xf32>`.",
    see: &["E0501", "E0303", "broadcast", "reshape"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: 1> : tile<2x4xi32>
    %b = broadcast %a : tile<2x4xi32> -> tile<4x4xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: 1> : tile<1x4xi32>
    %b = broadcast %a : tile<1x4xi32> -> tile<4x4xi32>
  }
}
"#,
};

/// A dimension that is neither 1 nor the result's.
pub(crate) fn broadcast_extent(range: Range<u32>, from: &TileType, to: &TileType, dim: usize) -> Diagnostic {
    let message = format!(
        "only a dimension of extent 1 can be repeated: dimension {dim} has {} and should become {}",
        from.shape[dim], to.shape[dim]
    );
    Diagnostic::new(&PAGE, range, message)
}
