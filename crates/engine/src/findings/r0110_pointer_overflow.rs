//! R0110: pointer overflow.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};
use tile_dialect::Element;

/// The page of R0110.
pub(crate) static PAGE: Page = Page {
    code: "R0110",
    name: "pointer-overflow",
    severity: Severity::Error,
    text: r#"The result of an `offset` does not fit in 64 bits and is used. `offset` counts elements: it
multiplies the offset by the size of an element, as signed 64-bit numbers, and adds the product to
the address. If either step overflows, the pointer is undefined. A sanitized run checks this."#,
    fix: r#"Check the computation of the offset: it may be in bytes instead of elements, or it may have wrapped
around earlier."#,
    see: &["R0102", "R0203", "offset"],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  //@   %p = f32[4] zeros
  //@   %n = 4611686018427387904
  entry @k(%p: tile<ptr<f32>>, %n: tile<i64>) {
    %q = offset %p, %n : tile<ptr<f32>>, tile<i64> -> tile<ptr<f32>>
    %x, %t = load_ptr_tko weak %q : tile<ptr<f32>> -> tile<f32>, token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  //@   %p = f32[4] zeros
  //@   %n = 3
  entry @k(%p: tile<ptr<f32>>, %n: tile<i64>) {
    %q = offset %p, %n : tile<ptr<f32>>, tile<i64> -> tile<ptr<f32>>
    %x, %t = load_ptr_tko weak %q : tile<ptr<f32>> -> tile<f32>, token
  }
}
"#,
};

/// An address that is advanced by too many elements.
pub(crate) fn fault(pointer: u64, by: i64, element: Element, place: &str) -> Box<Fault> {
    let bytes = crate::findings::bytes(element.nibbles());
    let message = format!("{pointer:#x} plus {by} elements of {bytes} overflows 64 bits{place}");
    Fault::new(&PAGE, message)
}
