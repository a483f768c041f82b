//! R0103: misaligned pointer.

use crate::findings::Fault;
use crate::memory::access::Use;
use tile_analysis::diagnostic::{Page, Severity};

/// The page of R0103.
pub static PAGE: Page = Page {
    code: "R0103",
    name: "misaligned-pointer",
    severity: Severity::Error,
    text: r#"A load, a store or an atomic op went through an address that is no multiple of the element's size. The
language requires that it is.

The pointer was most likely made from an integer, or by `ptr_to_ptr` from a pointer to smaller elements."#,
    fix: "",
    see: &[],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  //@   %p = i8[8] zeros
  entry @k(%p: tile<ptr<i8>>) {
    %one = constant <i32: 1> : tile<i32>
    %q = offset %p, %one : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
    %r = ptr_to_ptr %q : tile<ptr<i8>> -> tile<ptr<i32>>
    %x, %t = load_ptr_tko weak %r : tile<ptr<i32>> -> tile<i32>, token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  //@   %p = i8[8] zeros
  entry @k(%p: tile<ptr<i8>>) {
    %four = constant <i32: 4> : tile<i32>
    %q = offset %p, %four : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
    %r = ptr_to_ptr %q : tile<ptr<i8>> -> tile<ptr<i32>>
    %x, %t = load_ptr_tko weak %r : tile<ptr<i32>> -> tile<i32>, token
  }
}
"#,
};

/// An access of `size` bytes at `offset` bytes from the beginning of an allocation.
pub(crate) fn fault(name: &str, offset: i64, size: usize, access: Use) -> Box<Fault> {
    let verb = access.verb();
    Fault::new(&PAGE, format!("this {verb} {size} bytes at byte {offset} of `{name}`, which is no multiple of {size}"))
}
