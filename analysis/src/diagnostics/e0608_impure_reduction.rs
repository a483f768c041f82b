//! E0608: impure reduction.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0608.
pub(super) static PAGE: Page = Page {
    code: "E0608",
    name: "impure-reduction",
    severity: Severity::Error,
    text: r#"The function of a `reduce` or `scan` contains an op with side effects. The function can run any
number of times and in any order, so it must only compute: loads, stores, prints and assertions are
not allowed, and before 13.4 neither are ops that can be undefined for some operands."#,
    fix: "Move the op out of the function, before or after the `reduce` or `scan`.",
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

/// An op that the function of a reduction cannot hold.
pub(crate) fn impure_reduction(range: Range<u32>, op: &str, around: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{op}` is not allowed in `{around}`: it does more than compute its results"))
}
