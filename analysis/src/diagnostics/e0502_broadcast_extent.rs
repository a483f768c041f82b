//! E0502: broadcast extent.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::TileType;
use std::ops::Range;

/// The page of E0502.
pub(super) static PAGE: Page = Page {
    code: "E0502",
    name: "broadcast-extent",
    severity: Severity::Error,
    text: r#"`broadcast` repeats a tile along the dimensions whose extent is 1. All other extents stay the same."#,
    fix: r#"To repeat a longer dimension, first insert a dimension of extent 1 before it with `reshape`, then
`broadcast` that dimension and merge the two with another `reshape`. `cat` also repeats a tile, if
both of its operands are the same value."#,
    see: &["E0303", "E0501", "broadcast", "reshape", "cat"],
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

/// A dimension whose extent is neither 1 nor that of the result.
pub(crate) fn broadcast_extent(range: Range<u32>, from: &TileType, to: &TileType, dim: usize) -> Diagnostic {
    let message = format!(
        "cannot broadcast dimension {dim} from {} to {}: only dimensions of extent 1 can be repeated",
        from.shape[dim], to.shape[dim]
    );
    Diagnostic::new(&PAGE, range, message)
}
