//! L0003: for step.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of L0003.
pub(super) static PAGE: Page = Page {
    code: "L0003",
    name: "for-step",
    severity: Severity::Warning,
    text: r#"The step of a `for` must be positive. A step of 0 or less is undefined behavior, because the loop
would never reach its upper bound."#,
    fix: r#"Use a positive step. To count down, count up and subtract the induction variable from the last
index."#,
    see: &["R0401", "R0402", "for", "loop"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: 0> : tile<i32>
    %b = constant <i32: 8> : tile<i32>
    for %i in (%a to %b, step %a) : tile<i32> {
    }
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: 0> : tile<i32>
    %b = constant <i32: 8> : tile<i32>
    %c = constant <i32: 1> : tile<i32>
    for %i in (%a to %b, step %c) : tile<i32> {
    }
  }
}
"#,
};

/// A constant step of 0 or less.
pub(crate) fn for_step(range: Range<u32>, step: i64) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("the step of this loop is {step}, but it must be positive"))
}
