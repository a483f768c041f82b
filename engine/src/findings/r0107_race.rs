//! R0107: race.

use crate::findings::Fault;
use crate::memory::access::Use;
use tile_analysis::diagnostic::{Page, Severity};
use tile_analysis::ir::OpId;

/// The page of R0107.
pub(crate) static PAGE: Page = Page {
    code: "R0107",
    name: "race",
    severity: Severity::Error,
    text: r#"Two tile blocks access the same memory, one of them writes, and nothing orders the two accesses.
Tile blocks run concurrently and in any order, so the result is unpredictable. A sanitized run
checks this."#,
    fix: r#"- Check whether a pointer or an index should depend on `get_tile_block_id`.
- If blocks are meant to share the memory, use atomic ops with the scope `device` or `sys` for all
  accesses.
- Or let one block release its writes and the other acquire them, with tokens that order the
  accesses around them."#,
    see: &["R0106", "R0109", "memory ordering", "atomic_rmw_tko"],
    wrong: r#"cuda_tile.module @m {
  //@ launch grid=(4, 1, 1)
  //@   %sum = i32[1] zeros
  entry @k(%sum: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %x, %t = load_ptr_tko weak %sum : tile<ptr<i32>> -> tile<i32>, token
    %y = addi %x, %one : tile<i32>
    %u = store_ptr_tko weak %sum, %y token = %t : tile<ptr<i32>>, tile<i32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch grid=(4, 1, 1)
  //@   %sum = i32[1] zeros
  //@ expect %sum == 4
  entry @k(%sum: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %x, %t = atomic_rmw_tko relaxed device %sum, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}
"#,
};

/// An access to a place, and an op of another tile block that accesses it too.
pub(crate) fn fault(place: &str, now: Use, earlier: Use, op: OpId, [x, y, z]: [u32; 3]) -> Box<Fault> {
    let (now, earlier) = (now.verb(), earlier.verb());
    let other = format!("tile block ({x}, {y}, {z}) {earlier}");
    Fault::new(&PAGE, format!("this {now} {place}, which {other}, and nothing orders the two accesses"))
        .other(op, format!("{other} it here"))
}
