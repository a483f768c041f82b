//! R0101: null pointer.

use crate::findings::Fault;
use crate::memory::access::Use;
use tile_analysis::diagnostic::{Page, Severity};

/// The page of R0101.
pub(crate) static PAGE: Page = Page {
    code: "R0101",
    name: "null-pointer",
    severity: Severity::Error,
    text: r#"A load, a store or an atomic op went through a pointer that is 0 or near it. No memory lies there: the
address was made from an integer, or a pointer that nobody set was read from memory.

Take pointers from the entry's parameters, `get_global` or `alloca`, and move them with `offset`. Where some of a
tile's pointers are not valid, leave them out with a mask."#,
    fix: "",
    see: &[],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  entry @k() {
    %zero = constant <i64: 0> : tile<i64>
    %p = int_to_ptr %zero : tile<i64> -> tile<ptr<f32>>
    %x, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  //@   %p = f32[1] zeros
  entry @k(%p: tile<ptr<f32>>) {
    %x, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
  }
}
"#,
};

/// An access near address 0.
pub(crate) fn fault(address: u64, access: Use) -> Box<Fault> {
    let place = if address == 0 { "a null pointer".to_string() } else { format!("address {address:#x}") };
    Fault::new(&PAGE, format!("this {} through {place}, where no memory is", access.verb()))
}
