//! E0501: reshape count.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::TileType;
use std::ops::Range;

/// The page of E0501.
pub(super) static PAGE: Page = Page {
    code: "E0501",
    name: "reshape-count",
    severity: Severity::Error,
    text: r#"`reshape` keeps every element, so the operand and the result must have the same number of elements.
It does not repeat or drop any."#,
    fix: "Correct the shape. To repeat elements, use `broadcast`; to take a part, use `extract`.",
    see: &["E0502", "E0505", "reshape", "broadcast"],
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
    let message = format!("`reshape` keeps every element: `{from}` has {}, but `{to}` has {}", from.len(), to.len());
    Diagnostic::new(&PAGE, range, message)
}
