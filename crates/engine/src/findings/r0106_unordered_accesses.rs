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
    text: r#"Two ops of a tile block access the same memory, one of them writes, and no token orders them.
Neither the order of the text nor the use of a loaded value orders memory accesses: a compiler may
move the write first. A sanitized run checks this."#,
    fix: r#"- Pass the token of the earlier op to the later one: `token = %t`.
- Combine several tokens with `join_tokens`, and pass tokens through loops and branches like other
  values."#,
    see: &["R0107", "R0404", "token", "join_tokens"],
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
    let message = format!("this {now} {place}, which another op {earlier}, and no token orders the two accesses");
    Fault::new(&PAGE, message)
        .other(op, format!("this {earlier} it"))
        .note("pass the token of the earlier op to the later one: `token = %…`")
}
