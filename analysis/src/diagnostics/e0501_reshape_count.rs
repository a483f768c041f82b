//! E0501: reshape count.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::TileType;
use std::ops::Range;

/// The page of E0501.
pub(super) static PAGE: Page = Page {
    code: "E0501",
    name: "reshape-count",
    severity: Severity::Error,
    text: r#"`reshape` keeps all elements in row-major order and changes only the shape. Both types must
therefore have the same number of elements."#,
    fix: r#"Choose extents with the same product. To change the number of elements, use `broadcast` to repeat
them, `extract` to take a slice, or `cat` to join tiles."#,
    see: &["E0502", "reshape", "broadcast", "extract", "cat"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<8xi32>
    %b = reshape %a : tile<8xi32> -> tile<4x4xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<8xi32>
    %b = reshape %a : tile<8xi32> -> tile<2x4xi32>
  }
}
"#,
};

/// Two types with different numbers of elements.
pub(crate) fn reshape_count(range: Range<u32>, from: &TileType, to: &TileType) -> Diagnostic {
    let message = format!(
        "`reshape` cannot change the number of elements: `{from}` has {}, but `{to}` has {}",
        from.len(),
        to.len()
    );
    Diagnostic::new(&PAGE, range, message)
}
