//! R0503: invalid tensor view.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};
use tile_dialect::Element;

/// The page of R0503.
pub(crate) static PAGE: Page = Page {
    code: "R0503",
    name: "invalid-tensor-view",
    severity: Severity::Error,
    text: r#"`make_tensor_view` got a stride of 0, or extents and strides so large that the address of the last element
overflows. The language leaves such a view undefined. Extents and strides are read as unsigned, whatever their type, so
that a negative one is such a large number.

Two elements of four bits share a byte. A tensor of them needs a dimension with the stride 1, and such a dimension an
even extent.

With a stride of 0 all elements along a dimension are the same element in memory. GPUs load it repeatedly, and so does a run
here; only a sanitized run reports it. To stay within the language, load the element once and `broadcast` it."#,
    fix: "",
    see: &[],
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

/// A tensor of elements that share bytes, which does not lie in whole bytes.
pub(crate) fn split_bytes(element: Element, shape: &[u64], strides: &[u64]) -> Box<Fault> {
    let message =
        format!("a tensor of shape {shape:?} with strides {strides:?} does not hold {element} in whole bytes");
    Fault::new(&PAGE, message).note("it needs a dimension with the stride 1, and such a dimension an even extent")
}

/// A tensor whose last element is beyond all memory.
pub(crate) fn too_far(shape: &[u64], strides: &[u64]) -> Box<Fault> {
    let message = format!("a tensor of shape {shape:?} with strides {strides:?} reaches beyond the address space");
    Fault::new(&PAGE, message)
}
