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

/// The tile block of the earlier access, which has written nothing that this one has read.
pub(crate) fn no_synchronization(fault: Box<Fault>, [x, y, z]: [u32; 3]) -> Box<Fault> {
    fault.note(format!(
        "tile block ({x}, {y}, {z}) and this one do not synchronize: before this access, no strong access reads a value \
         that tile block ({x}, {y}, {z}) wrote with a strong access"
    ))
}

/// An op through which the tile blocks would synchronize with a larger scope.
pub(crate) fn block_scope(fault: Box<Fault>, op: OpId) -> Box<Fault> {
    fault.other(op, "this orders nothing for other tile blocks: its scope is `tl_blk`; use `device` or `sys`")
}

/// A write of the other tile block that does not release, and the op that reads it.
pub(crate) fn not_released(fault: Box<Fault>, write: OpId, read: OpId, [x, y, z]: [u32; 3]) -> Box<Fault> {
    let message = format!("tile block ({x}, {y}, {z}) does not release its accesses here; use `release` or `acq_rel`");
    let fault = fault.other(write, message);
    if read == write { fault } else { fault.other(read, "this reads the value") }
}

/// A release of the other tile block that lacks the token of the earlier access.
pub(crate) fn released_without_token(fault: Box<Fault>, write: OpId, [x, y, z]: [u32; 3]) -> Box<Fault> {
    let message = format!("tile block ({x}, {y}, {z}) releases here, but without the token of its access");
    fault.other(write, message)
}

/// A read that does not acquire.
pub(crate) fn not_acquired(fault: Box<Fault>, read: OpId, [x, y, z]: [u32; 3]) -> Box<Fault> {
    let message = format!(
        "this reads what tile block ({x}, {y}, {z}) released, but does not acquire it; use `acquire` or `acq_rel`"
    );
    fault.other(read, message)
}

/// A read that acquires a value that is not used.
pub(crate) fn acquired_value_unused(fault: Box<Fault>, read: OpId, [x, y, z]: [u32; 3]) -> Box<Fault> {
    let message =
        format!("this acquires, but its value is not used, so tile block ({x}, {y}, {z}) may release only later");
    fault.other(read, message)
}

/// A read that acquires, and whose token the current access lacks.
pub(crate) fn acquired_without_token(fault: Box<Fault>, read: OpId, [x, y, z]: [u32; 3]) -> Box<Fault> {
    let message =
        format!("this acquires what tile block ({x}, {y}, {z}) released, but the access does not have its token");
    fault.other(read, message)
}
