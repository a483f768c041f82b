//! R0108: freed memory.

use crate::findings::Fault;
use crate::memory::access::Use;
use tile_analysis::diagnostic::{Page, Severity};
use tile_analysis::ir::OpId;

/// The page of R0108.
pub(crate) static PAGE: Page = Page {
    code: "R0108",
    name: "freed-memory",
    severity: Severity::Error,
    text: r#"A pointer from `alloca` is used after the memory was freed. Scratch memory lives as long as the
region that contains the `alloca`: one iteration of a loop, one branch, or the tile block. A pointer
that leaves the region, or that another tile block reads from memory, is dangling."#,
    fix: "Move the `alloca` out of the loop or branch, or pass on the contents instead of the address.",
    see: &["R0102", "alloca"],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  entry @k() {
    %yes = constant <i1: 1> : tile<i1>
    %one = constant <i32: 1> : tile<i32>
    %q = if %yes -> (tile<ptr<i32>>) {
      %p = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
      yield %p : tile<ptr<i32>>
    } else {
      %p = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
      yield %p : tile<ptr<i32>>
    }
    %t = store_ptr_tko weak %q, %one : tile<ptr<i32>>, tile<i32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  entry @k() {
    %one = constant <i32: 1> : tile<i32>
    %q = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
    %t = store_ptr_tko weak %q, %one : tile<ptr<i32>>, tile<i32> -> token
  }
}
"#,
};

/// An access to freed memory.
pub(crate) fn fault(name: &str, op: Option<OpId>, element: i64, access: Use) -> Box<Fault> {
    let verb = access.verb();
    let fault = Fault::new(&PAGE, format!("this {verb} element {element} of {name}, which was freed"))
        .note("scratch memory lives as long as the region that contains its `alloca`");
    match op {
        Some(op) => fault.other(op, "it was allocated here"),
        None => fault,
    }
}
