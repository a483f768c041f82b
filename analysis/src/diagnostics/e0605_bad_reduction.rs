//! E0605: bad reduction.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0605.
pub(super) static PAGE: Page = Page {
    code: "E0605",
    name: "bad-reduction",
    severity: Severity::Error,
    text: r#"The operands or the function of a `reduce` or `scan` are inconsistent. These ops take tiles of one
shape, one identity for each tile, and a function with two scalar arguments for each: an element and
an accumulator."#,
    fix: "Give the function two arguments for each tile, and as many identities as tiles.",
    see: &["E0608", "reduce", "scan", "identities"],
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

/// Something about a reduction that does not fit.
pub(crate) fn reduce(range: Range<u32>, op: &str, what: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{op}` {what}"))
}
