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
    text: r#"Two tile blocks access the same memory, one of them writes, and nothing orders the two. Tile blocks run in
any order and at the same time, so that the outcome is open.

Most likely a pointer or an index does not depend on `get_tile_block_id` as it should. Where blocks are to work on the
same memory, use atomic ops for all accesses (their scope must be `device` or `sys`), or let one block release what it
wrote and the other acquire it, with tokens that keep the accesses on the right side. This is checked by runs that
sanitize."#,
    fix: "",
    see: &[],
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
    let message = format!("this {now} {place}, which tile block ({x}, {y}, {z}) {earlier}, and nothing orders the two");
    Fault::new(&PAGE, message).other(op, format!("tile block ({x}, {y}, {z}) {earlier} it here"))
}
