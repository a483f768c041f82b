//! E0610: loop arguments.

use super::words::counted;
use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;

/// The page of E0610.
pub(super) static PAGE: Page = Page {
    code: "E0610",
    name: "loop-arguments",
    severity: Severity::Error,
    text: r#"The region of a `for` has one argument for the induction variable, which has the type of the bounds,
and one for each carried value, which has the type of its initial value. The region of a `loop` has
only the carried values. Custom form ensures this, so the error occurs only in generic form."#,
    fix: r#"Correct the arguments in `^bb0(…)`, or write the loop in custom form."#,
    see: &["E0611", "for", "loop", "generic form"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %c = constant <i32: 1> : tile<i32>
    "cuda_tile.for"(%c, %c, %c) ({
    ^bb0(%i: !cuda_tile.tile<f32>):
      "cuda_tile.continue"() : () -> ()
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %c = constant <i32: 1> : tile<i32>
    "cuda_tile.for"(%c, %c, %c) ({
    ^bb0(%i: !cuda_tile.tile<i32>):
      "cuda_tile.continue"() : () -> ()
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
  }
}
"#,
};

/// A number of region arguments that does not match the loop.
pub(crate) fn loop_argument_count(range: Range<u32>, op: &str, expected: usize, found: usize) -> Diagnostic {
    let arguments = counted(expected as i64, "argument");
    Diagnostic::new(&PAGE, range, format!("the region of this `{op}` must have {arguments}, found {found}"))
}

/// A region argument whose type differs from that of the value it receives.
pub(crate) fn loop_argument(range: Range<u32>, op: &str, what: &str, expected: Type, found: Type) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("{what} of this `{op}` must be `{expected}`, found `{found}`"))
}
