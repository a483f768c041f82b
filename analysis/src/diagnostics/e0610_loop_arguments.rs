//! E0610: loop arguments.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;

/// The page of E0610.
pub(super) static PAGE: Page = Page {
    code: "E0610",
    name: "loop-arguments",
    severity: Severity::Error,
    text: r#"The block arguments of a loop do not fit its operands. The region of a `for` has the induction
variable, with the type of the bounds, followed by the carried values, with the types of their
initial values; that of a `loop` has only the carried values. This error is only possible in generic
form."#,
    fix: "Correct the block arguments, or use the custom form, which cannot get them wrong.",
    see: &["E0603", "E0609", "for", "loop"],
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

/// Another number of arguments than the loop has values.
pub(crate) fn loop_argument_count(range: Range<u32>, op: &str, expected: usize, found: usize) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("the region of this `{op}` must have {expected} arguments, found {found}"))
}

/// An argument of another type than the value it stands for.
pub(crate) fn loop_argument(range: Range<u32>, op: &str, what: &str, expected: Type, found: Type) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("{what} of this `{op}` must be `{expected}`, found `{found}`"))
}
