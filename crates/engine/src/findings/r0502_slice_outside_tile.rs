//! R0502: slice outside tile.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};

/// The page of R0502.
pub(crate) static PAGE: Page = Page {
    code: "R0502",
    name: "slice-outside-tile",
    severity: Severity::Error,
    text: r#"`extract` or `insert` selects a slice that the tile does not have, which is undefined. Its indices
are unsigned and count slices, not elements: a tile of 8 elements has two slices of 4, with the
indices 0 and 1."#,
    fix: "Divide the index of the first element by the extent of the slice.",
    see: &["L0004", "E0505", "extract", "insert"],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  entry @k() {
    %x = iota : tile<8xi32>
    %four = constant <i32: 4> : tile<i32>
    %y = extract %x[%four] : tile<8xi32> -> tile<4xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  entry @k() {
    %x = iota : tile<8xi32>
    %one = constant <i32: 1> : tile<i32>
    %y = extract %x[%one] : tile<8xi32> -> tile<4xi32>
  }
}
"#,
};

/// An index that is not below the number of slices in a dimension.
pub(crate) fn fault(dim: usize, index: usize, slices: usize) -> Box<Fault> {
    let slices = if slices == 1 { "is 1 slice".to_string() } else { format!("are {slices} slices") };
    Fault::new(&PAGE, format!("slice {index} does not exist: there {slices} along dimension {dim}"))
}
