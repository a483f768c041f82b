//! R0103: misaligned pointer.

use crate::findings::Fault;
use crate::memory::access::Use;
use tile_analysis::diagnostic::{Page, Severity};

/// The page of R0103.
pub static PAGE: Page = Page {
    code: "R0103",
    name: "misaligned-pointer",
    severity: Severity::Error,
    text: r#"A load, a store or an atomic op used an address that is not a multiple of the element size. The
language requires natural alignment, and GPUs stop the kernel at such an access."#,
    fix: r#"Make the address a multiple of the element size. The pointer was most likely made from an integer,
or by `ptr_to_ptr` from a pointer to smaller elements."#,
    see: &["R0101", "R0102", "ptr_to_ptr", "alignment"],
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
    Fault::new(
        &PAGE,
        format!("this {verb} {size} bytes at byte {offset} of `{name}`, which is not a multiple of {size}"),
    )
}
