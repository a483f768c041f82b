//! R0503: invalid tensor view.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};
use tile_dialect::Element;

/// The page of R0503.
pub(crate) static PAGE: Page = Page {
    code: "R0503",
    name: "invalid-tensor-view",
    severity: Severity::Error,
    text: r#"`make_tensor_view` has a stride of 0, or extents and strides for which the address of the last
element overflows. Such a view is undefined. Extents and strides are unsigned, regardless of their
type, so a negative one is very large. A tensor of 4-bit elements, two of which share a byte, also
needs a dimension with stride 1 and an even extent.

With a stride of 0, all elements along a dimension are the same element in memory. GPUs load it
repeatedly, and so does an ordinary run; only a sanitized run reports it."#,
    fix: r#"- Pass positive extents and strides.
- Instead of a stride of 0, load the element once and `broadcast` it."#,
    see: &["E0531", "R0109", "make_tensor_view", "strides"],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  //@   %p = f32[1] zeros
  //@   %n = 0
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %v = make_tensor_view %p, shape = [8], strides = [%n] : tile<i32> -> tensor_view<8xf32, strides=[?]>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  //@   %p = f32[8] zeros
  //@   %n = 1
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %v = make_tensor_view %p, shape = [8], strides = [%n] : tile<i32> -> tensor_view<8xf32, strides=[?]>
  }
}
"#,
};

/// A stride of 0.
pub(crate) fn stride(dim: usize) -> Box<Fault> {
    Fault::new(&PAGE, format!("the stride of dimension {dim} is 0; it must be positive"))
}

/// A tensor of 4-bit elements that do not fill whole bytes.
pub(crate) fn split_bytes(element: Element, shape: &[u64], strides: &[u64]) -> Box<Fault> {
    let message = format!("a tensor of shape {shape:?} with strides {strides:?} cannot store {element} in whole bytes");
    Fault::new(&PAGE, message).note("it needs a dimension with stride 1 and an even extent")
}

/// A tensor whose last element exceeds the address space.
pub(crate) fn too_far(shape: &[u64], strides: &[u64]) -> Box<Fault> {
    let message = format!("a tensor of shape {shape:?} with strides {strides:?} exceeds the address space");
    Fault::new(&PAGE, message)
}
