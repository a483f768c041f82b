//! R0101: null pointer.

use crate::findings::Fault;
use crate::memory::access::Use;
use tile_analysis::diagnostic::{Page, Severity};

/// The page of R0101.
pub(crate) static PAGE: Page = Page {
    code: "R0101",
    name: "null-pointer",
    severity: Severity::Error,
    text: r#"A load, a store or an atomic op used a null pointer or an address close to it. There is no memory at
such addresses: the pointer was made from an integer, or an uninitialized pointer was read from
memory."#,
    fix: r#"- Take pointers from the parameters of the entry, `get_global` or `alloca`, and advance them with
  `offset`.
- Mask out the pointers of a tile that are not valid."#,
    see: &["R0102", "R0103", "ptr", "offset"],
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
    Fault::new(&PAGE, format!("this {} through {place}, where there is no memory", access.verb()))
}
