//! E0204: bad extent.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0204.
pub(super) static PAGE: Page = Page {
    code: "E0204",
    name: "bad-extent",
    severity: Severity::Error,
    text: r#"An extent of a type is out of range. The extents of a tile must be known when the program is
compiled and be at least 1. Only a tensor view can have extents that are known at run time, which
are written `?`."#,
    fix: r#"Write a constant extent. To process a tensor of dynamic size, give the extent `?` to its tensor view
and cut it into tiles of constant size."#,
    see: &["E0203", "E0205", "dynamic extent", "tensor_view"],
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
        .note("only the dimensions of a tensor view may be known at run time only")
}

/// 0 or less.
pub(crate) fn extent_not_positive(range: Range<u32>, extent: i64) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("an extent must be at least 1, found {extent}"))
}
