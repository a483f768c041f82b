//! E0011: number too large.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0011.
pub(super) static PAGE: Page = Page {
    code: "E0011",
    name: "number-too-large",
    severity: Severity::Error,
    text: r#"A number is larger than its position allows. Every position has a fixed width of at most 64 bits."#,
    fix: r#"Write a smaller number. For a dimension, this is a number less than the rank."#,
    see: &["E0401", "E0504", "E0205"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %b = reduce %a dim = 9999999999 identities = [0 : i32] : tile<4xi32> -> tile<i32>
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

/// A number that is too large for its position.
pub(crate) fn number_too_large(range: Range<u32>, number: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{number}` is out of range here"))
}
