//! R0105: unspecified value.

use crate::findings::{Fault, at_element};
use tile_analysis::diagnostic::{Page, Severity};
use tile_analysis::ir::OpId;

/// The page of R0105.
pub(crate) static PAGE: Page = Page {
    code: "R0105",
    name: "unspecified-value",
    severity: Severity::Error,
    text: r#"The behavior of the program depends on an element that has no specified value, which a sanitized run
checks. Such elements come from masked-out elements of a load, from a load through a view that
reaches beyond its tensor, and from uninitialized memory of `alloca`. Computing with them is
allowed. Storing, printing, asserting or branching on them is not, nor is using them as an address,
an index or a mask: the result could differ on each run."#,
    fix: r#"- Give the load a padding value: an operand of `load_ptr_tko`, or `padding_value` of the view.
- Mask the store like the load, or initialize the scratch memory."#,
    see: &["R0102", "padding_value", "load_ptr_tko", "alloca"],
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

/// A use of the unspecified element at `index`, with the op that it comes from and the reason.
pub(crate) fn fault(purpose: &str, index: usize, shape: &[i64], (op, reason): (OpId, &str)) -> Box<Fault> {
    Fault::new(&PAGE, format!("this {purpose}{}", at_element(index, shape))).other(op, reason)
}
