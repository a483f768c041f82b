//! R0105: unspecified value.

use crate::findings::{Fault, at_element};
use tile_analysis::diagnostic::{Page, Severity};
use tile_analysis::ir::OpId;

/// The page of R0105.
pub(crate) static PAGE: Page = Page {
    code: "R0105",
    name: "unspecified-value",
    severity: Severity::Error,
    text: r#"What the program does depends on an element that has no specified value. Such elements come from a load
whose mask leaves them out, from a load through a view that reaches beyond its tensor, and from memory of `alloca` that
was never written. They may be computed with, but not stored, printed, asserted, branched on, or used as an address, an
index or a mask: each run could do something else.

Give the load a padding value (an operand of `load_ptr_tko`, `padding_value` of the view), mask the store too, or write
the scratch memory first. This is checked by runs that sanitize."#,
    fix: "",
    see: &[],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  //@   %p = f32[1] ones
  entry @k(%p: tile<ptr<f32>>) {
    %all = constant <i1: 0> : tile<i1>
    %x, %t = load_ptr_tko weak %p, %all : tile<ptr<f32>>, tile<i1> -> tile<f32>, token
    %y = addf %x, %x : tile<f32>
    %u = store_ptr_tko weak %p, %y token = %t : tile<ptr<f32>>, tile<f32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  //@   %p = f32[1] ones
  entry @k(%p: tile<ptr<f32>>) {
    %all = constant <i1: 0> : tile<i1>
    %zero = constant <f32: 0.0> : tile<f32>
    %x, %t = load_ptr_tko weak %p, %all, %zero : tile<ptr<f32>>, tile<i1>, tile<f32> -> tile<f32>, token
    %y = addf %x, %x : tile<f32>
    %u = store_ptr_tko weak %p, %y token = %t : tile<ptr<f32>>, tile<f32> -> token
  }
}
"#,
};

/// Something is done with the unspecified element at `index`, which comes from another op for a reason.
pub(crate) fn fault(purpose: &str, index: usize, shape: &[i64], (op, reason): (OpId, &str)) -> Box<Fault> {
    Fault::new(&PAGE, format!("this {purpose}{}", at_element(index, shape))).other(op, reason)
}
