//! E0610: loop arguments.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;

/// The page of E0610.
pub(super) static PAGE: Page = Page {
    code: "E0610",
    name: "loop-arguments",
    severity: Severity::Error,
    text: r#"The region of a `for` has the induction variable, of the bounds' type, and then the carried values, which have the types of their
first values; that of a `loop` has the carried values. Only generic form can say anything else."#,
    fix: "",
    see: &[],
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
