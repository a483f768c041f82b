//! E0506: iota type.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::{TileType, Type};
use std::ops::Range;

/// The page of E0506.
pub(super) static PAGE: Page = Page {
    code: "E0506",
    name: "iota-type",
    severity: Severity::Error,
    text: r#"`iota` returns the numbers 0, 1, 2, … as a tile of rank 1. The element type must be wide enough to
count the elements."#,
    fix: r#"Use a type of rank 1, and then `reshape` or `broadcast` to get another shape. If the tile is too
long for its element type, use a wider integer."#,
    see: &["E0501", "iota", "reshape", "broadcast"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4x4xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<16xi32>
    %b = reshape %a : tile<16xi32> -> tile<4x4xi32>
  }
}
"#,
};

/// A tile that is not of rank 1.
pub(crate) fn iota_rank(range: Range<u32>, tile: &TileType) -> Diagnostic {
    let found = Diagnostic::new(&PAGE, range, format!("the result of `iota` must be a tile of rank 1, found `{tile}`"));
    match tile.len() {
        0 | 1 => found,
        length => {
            let row = Type::tile_of(&[length as i64], tile.element);
            found.note(format!("write `iota : {row}`, then `reshape` the result to `{tile}`"))
        }
    }
}

/// More elements than the element type can count.
pub(crate) fn iota_range(range: Range<u32>, tile: &TileType, bits: u32) -> Diagnostic {
    let message = format!("`{tile}` has {} elements, more than {bits} bits can count", tile.len());
    Diagnostic::new(&PAGE, range, message)
}
