//! R0402: did not finish.

use super::Fault;
use tile_analysis::diagnostic::{Page, Severity};

/// The page of R0402.
pub(super) static PAGE: Page = Page {
    code: "R0402",
    name: "did-not-finish",
    severity: Severity::Error,
    text: r#"The run was stopped before its end: it was cancelled, ran out of time, or ran more ops than it may.

Most likely a `loop` never breaks. A loop that waits for another tile block can wait for ever: blocks run in no
particular order and need not run at the same time, so a block may wait only for one that has begun. The place is the
loop that was running."#,
    wrong: r#"cuda_tile.module @m {
  //@ launch
  entry @k() {
    %one = constant <i32: 1> : tile<i32>
    %r = loop iter_values(%i = %one) : tile<i32> -> tile<i32> {
      %next = addi %i, %one : tile<i32>
      continue %next : tile<i32>
    }
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  entry @k() {
    %one = constant <i32: 1> : tile<i32>
    %ten = constant <i32: 10> : tile<i32>
    %r = loop iter_values(%i = %one) : tile<i32> -> tile<i32> {
      %next = addi %i, %one : tile<i32>
      %done = cmpi greater_than %next, %ten, signed : tile<i32> -> tile<i1>
      if %done {
        break %next : tile<i32>
      }
      continue %next : tile<i32>
    }
  }
}
"#,
};

/// A run that was stopped from outside.
pub(crate) fn cancelled() -> Box<Fault> {
    Fault::new(&PAGE, "the run was cancelled before its end")
}

/// A run that took too long.
pub(crate) fn too_many_ops(ops: u64) -> Box<Fault> {
    Fault::new(&PAGE, format!("the run did not end within {ops} ops"))
}
