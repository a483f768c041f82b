//! E0608: impure reduction.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0608.
pub(super) static PAGE: Page = Page {
    code: "E0608",
    name: "impure-reduction",
    severity: Severity::Error,
    text: r#"The function of a `reduce` or `scan` can run any number of times and in any order. Its ops must
therefore have no side effects: no loads, stores, prints or assertions. Before 13.4, ops that are
undefined for some operands, such as `divi`, are not allowed either."#,
    fix: r#"Move the op out of the function: load before the `reduce`, and store or print its result."#,
    see: &["E0605", "R0304", "reduce", "scan"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %b = reduce %a dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32>
    (%x: tile<i32>, %y: tile<i32>) {
      %t = print_tko "%i", %x : tile<i32> -> token
      yield %x : tile<i32>
    }
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %b = reduce %a dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32>
    (%x: tile<i32>, %y: tile<i32>) {
      %s = addi %x, %y : tile<i32>
      yield %s : tile<i32>
    }
  }
}
"#,
};

/// An op with side effects in the function of a reduction.
pub(crate) fn impure_reduction(range: Range<u32>, op: &str, around: &str) -> Diagnostic {
    let message = format!("`{op}` is not allowed in `{around}`, whose function must not have side effects");
    Diagnostic::new(&PAGE, range, message)
}
