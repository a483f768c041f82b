//! R0404: unordered wait.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};
use tile_analysis::ir::OpId;

/// The page of R0404.
pub(crate) static PAGE: Page = Page {
    code: "R0404",
    name: "unordered-wait",
    severity: Severity::Error,
    text: r#"A `loop` reads memory that the same tile block wrote before the loop, and no token orders the read
after the write. Only tokens order the accesses of a tile block, so the loop can run before the
write. A loop that waits for a value written by its own block, such as one that acquires a lock just
released by the block, then never ends; this happens on GPUs. The CPU engine and `--schedule`
perform the write first, or after some iterations of the loop. A sanitized run checks this."#,
    fix: "Pass the token of the write to the first access in the loop.",
    see: &["R0106", "R0402", "token", "loop"],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  //@   %lock = i32[1] fill(1)
  entry @k(%lock: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %released = store_ptr_tko release device %lock, %zero : tile<ptr<i32>>, tile<i32> -> token
    %start = make_token : token
    %taken = loop iter_values(%before = %start) : token -> token {
      %held, %t = atomic_cas_tko acquire device %lock, %zero, %one token = %before : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %free = cmpi equal %held, %zero, signed : tile<i32> -> tile<i1>
      if %free {
        break %t : token
      }
      continue %t : token
    }
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  //@   %lock = i32[1] fill(1)
  entry @k(%lock: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %released = store_ptr_tko release device %lock, %zero : tile<ptr<i32>>, tile<i32> -> token
    %taken = loop iter_values(%before = %released) : token -> token {
      %held, %t = atomic_cas_tko acquire device %lock, %zero, %one token = %before : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %free = cmpi equal %held, %zero, signed : tile<i32> -> tile<i1>
      if %free {
        break %t : token
      }
      continue %t : token
    }
  }
}
"#,
};

/// A read in a loop of some memory, and the op that wrote it before the loop.
pub(crate) fn fault(place: &str, writer: OpId) -> Box<Fault> {
    let message = format!(
        "this loop reads {place}, which the tile block wrote before the loop, and no token orders the two accesses"
    );
    Fault::new(&PAGE, message)
        .other(writer, "this write may be performed after the loop")
        .note("a loop that waits for this write may never end")
}
