//! E0506: iota type.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::{TileType, Type};
use std::ops::Range;

/// The page of E0506.
pub(super) static PAGE: Page = Page {
    code: "E0506",
    name: "iota-type",
    severity: Severity::Error,
    text: r#"The result of `iota` has the wrong rank, or an element type that cannot represent all of its
numbers. `iota` produces the numbers 0, 1, 2, … as a tile of rank 1."#,
    fix: r#"Use an integer type that is wide enough. For a tile of higher rank, continue with `reshape` and
`broadcast`."#,
    see: &["E0501", "E0515", "iota", "broadcast"],
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
    let found = Diagnostic::new(&PAGE, range, format!("`iota` makes a tile of rank 1, found `{tile}`"));
    match tile.len() {
        0 | 1 => found,
        length => {
            let row = Type::tile_of(&[length as i64], tile.element);
            found.note(format!("write `iota : {row}`, then `reshape` it from `{row}` to `{tile}`"))
        }
    }
}

/// More elements than the element type can count.
pub(crate) fn iota_range(range: Range<u32>, tile: &TileType, bits: u32) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("{bits} bits cannot count the {} elements of `{tile}`", tile.len()))
}
