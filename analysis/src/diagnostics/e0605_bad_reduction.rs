//! E0605: bad reduction.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0605.
pub(super) static PAGE: Page = Page {
    code: "E0605",
    name: "bad-reduction",
    severity: Severity::Error,
    text: r#"`reduce` and `scan` take one or more tiles of the same shape, one identity for each tile, and a
function with two scalar arguments for each: an accumulator and an element. The function yields one
value for each tile."#,
    fix: r#"Write one identity of the element type, and two arguments of rank 0, for each tile. For a tile of
`i32`, the arguments are `(%sum: tile<i32>, %element: tile<i32>)`."#,
    see: &["E0608", "R0304", "reduce", "scan", "identities"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %b = reduce %a dim = 0 identities = [0 : i32, 0 : i32] : tile<4xi32> -> tile<i32>
    (%x: tile<i32>, %y: tile<i32>) {
      yield %x : tile<i32>
    }
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %b = reduce %a dim = 0 identities = [0 : i32] : tile<4xi32> -> tile<i32>
    (%x: tile<i32>, %y: tile<i32>) {
      yield %x : tile<i32>
    }
  }
}
"#,
};

/// A reduction that breaks a rule; `what` completes the sentence that starts with `op`.
pub(crate) fn reduce(range: Range<u32>, op: &str, what: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{op}` {what}"))
}
