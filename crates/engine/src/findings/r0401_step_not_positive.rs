//! R0401: step not positive.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};

/// The page of R0401.
pub(crate) static PAGE: Page = Page {
    code: "R0401",
    name: "step-not-positive",
    severity: Severity::Error,
    text: r#"The step of a `for` is zero or negative, which is undefined: the loop would never reach its upper
bound. Loops only count upwards."#,
    fix: "Use a positive step. To count down, count up and subtract the induction variable inside the loop.",
    see: &["L0003", "R0402", "for"],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  entry @k() {
    %low = constant <i32: 0> : tile<i32>
    %high = constant <i32: 4> : tile<i32>
    for %i in (%low to %high, step %low) : tile<i32> {
      print_tko "%d\0A", %i : tile<i32> -> token
    }
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  entry @k() {
    %low = constant <i32: 0> : tile<i32>
    %high = constant <i32: 4> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    for %i in (%low to %high, step %one) : tile<i32> {
      print_tko "%d\0A", %i : tile<i32> -> token
    }
  }
}
"#,
};

/// A step that does not count upwards.
pub(crate) fn fault(step: i128) -> Box<Fault> {
    Fault::new(&PAGE, format!("the step of this loop is {step}; it must be positive"))
}
