//! E0204: bad extent.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0204.
pub(super) static PAGE: Page = Page {
    code: "E0204",
    name: "bad-extent",
    severity: Severity::Error,
    text: r#"The shape of a tile is fixed when the program is compiled, so every extent must be a number of at
least 1. Only a tensor view can have extents that are not known until run time, written `?`."#,
    fix: r#"Choose a fixed extent, and process data of other sizes tile by tile through a view.
`get_index_space_shape` returns the number of tiles."#,
    see: &["E0203", "tile sizes", "dynamic extent", "get_index_space_shape"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<?xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<8xi32>
  }
}
"#,
};

/// `?` in a tile.
pub(crate) fn dynamic_extent(range: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, "a tile dimension must be a number, found `?`")
        .note("only a tensor view can have dimensions that are not known until run time")
}

/// An extent less than 1.
pub(crate) fn extent_not_positive(range: Range<u32>, extent: i64) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("an extent must be at least 1, found {extent}"))
}
