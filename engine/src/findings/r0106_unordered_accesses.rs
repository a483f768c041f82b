//! R0106: unordered accesses.

use crate::findings::Fault;
use crate::memory::access::Use;
use tile_analysis::diagnostic::{Page, Severity};
use tile_analysis::ir::OpId;

/// The page of R0106.
pub(crate) static PAGE: Page = Page {
    code: "R0106",
    name: "unordered-accesses",
    severity: Severity::Error,
    text: r#"Two ops of one tile block access the same memory, one of them writes, and no token puts one before the
other. The order of the text orders no accesses to memory, and neither does it that a value comes from one and goes into
the other: a compiler may let the write come first.

Let the later op take the token of the earlier one: `token = %t`. Where it must wait for several, `join_tokens` makes
one token of them; loops and branches hand tokens on as they do other values. This is checked by runs that sanitize."#,
    fix: "",
    see: &[],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  //@   %p = f32[1] ones
  entry @k(%p: tile<ptr<f32>>) {
    %x, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    %y = addf %x, %x : tile<f32>
    %u = store_ptr_tko weak %p, %y : tile<ptr<f32>>, tile<f32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  //@   %p = f32[1] ones
  entry @k(%p: tile<ptr<f32>>) {
    %x, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    %y = addf %x, %x : tile<f32>
    %u = store_ptr_tko weak %p, %y token = %t : tile<ptr<f32>>, tile<f32> -> token
  }
}
"#,
};

/// An access to a place, and another op of the tile block that accesses it too.
pub(crate) fn fault(place: &str, now: Use, earlier: Use, op: OpId) -> Box<Fault> {
    let (now, earlier) = (now.verb(), earlier.verb());
    let message = format!("this {now} {place}, which another op {earlier}, and no token says which comes first");
    Fault::new(&PAGE, message)
        .other(op, format!("this {earlier} it"))
        .note("let the one that comes later take the token of the other: `token = %…`")
}
