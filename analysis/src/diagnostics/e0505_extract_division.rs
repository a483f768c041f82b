//! E0505: extract division.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::TileType;
use std::ops::Range;

/// The page of E0505.
pub(super) static PAGE: Page = Page {
    code: "E0505",
    name: "extract-division",
    severity: Severity::Error,
    text: r#"`extract` and `insert` divide a tile into equal slices and select one of them. Each extent of the
slice must therefore divide the corresponding extent of the tile."#,
    fix: r#"Use a slice that is no larger than the tile in any dimension. To build a larger tile from smaller
ones, use `cat`."#,
    see: &["L0004", "extract", "insert", "cat"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 0> : tile<i32>
    %a = iota : tile<4xi32>
    %b = extract %a[%i] : tile<4xi32> -> tile<8xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 0> : tile<i32>
    %a = iota : tile<8xi32>
    %b = extract %a[%i] : tile<8xi32> -> tile<4xi32>
  }
}
"#,
};

/// A slice that does not divide the tile.
pub(crate) fn extract_division(range: Range<u32>, from: &TileType, to: &TileType, dim: usize) -> Diagnostic {
    let message =
        format!("slice extent {} does not divide extent {} of dimension {dim}", to.shape[dim], from.shape[dim]);
    Diagnostic::new(&PAGE, range, message)
}
