//! R0402: did not finish.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};
use tile_analysis::ir::OpId;

/// The page of R0402.
pub static PAGE: Page = Page {
    code: "R0402",
    name: "did-not-finish",
    severity: Severity::Error,
    text: r#"The run was stopped: it was canceled, exceeded its time limit, or executed too many ops. Most
likely a `loop` never ends; the finding is at the loop that was running. A loop that waits for
another tile block can wait forever: blocks run in no particular order and need not run
concurrently, so a block may only wait for one that has started.

A sanitized run detects this early: it stops when an iteration of a `loop` starts with the same
values and the same memory as an earlier one. It runs tile blocks one after another, which also
reveals a block that waits for a later one."#,
    fix: r#"- Check the condition of the `break`.
- Let blocks take their numbers from an atomic counter: then a block waits only for blocks that have
  started."#,
    see: &["R0403", "R0404", "loop", "break"],
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
    Fault::new(&PAGE, "the run was canceled before its end")
}

/// A run that exceeded its limit of ops.
pub(crate) fn too_many_ops(ops: u64) -> Box<Fault> {
    Fault::new(&PAGE, format!("the run did not end within {ops} ops"))
}

/// A loop whose iteration `turn` begins with the same state as the one `distance` iterations earlier. If not `same`,
/// values differ that do not decide how it continues.
pub(crate) fn cycle(turn: u64, distance: u64, same: bool) -> Box<Fault> {
    let earlier = if distance == 1 { "the one before".to_string() } else { format!("the one {distance} before") };
    let message = format!("this loop does not end: iteration {turn} starts with the values and memory of {earlier}");
    let fault = Fault::new(&PAGE, message);
    if same { fault } else { fault.note("only values differ that neither a condition nor a memory access depends on") }
}

/// A loop that waits for memory that no running tile block will change.
pub(crate) fn waits_forever(place: &str) -> Box<Fault> {
    Fault::new(&PAGE, format!("this loop waits for {place}, which no running tile block will change"))
}

/// A loop that reads the same memory repeatedly while `left` tile blocks have not started.
pub(crate) fn waits(fault: Box<Fault>, op: OpId, place: &str, left: u64) -> Box<Fault> {
    let others = match left {
        0 => "no other tile block is left to write it".to_string(),
        1 => "1 tile block has not started, and it may start only after this one ends".to_string(),
        _ => format!("{left} tile blocks have not started, and they may start only after this one ends"),
    };
    fault.other(op, format!("{place} is read here repeatedly")).note(others).note(
        "tile blocks run one after another here, in the order of the grid: a block can only wait for earlier ones",
    )
}
