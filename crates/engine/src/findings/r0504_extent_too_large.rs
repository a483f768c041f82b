//! R0504: extent too large.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};
use tile_dialect::Element;

/// The page of R0504.
pub(crate) static PAGE: Page = Page {
    code: "R0504",
    name: "extent-too-large",
    severity: Severity::Error,
    text: r#"`get_tensor_shape` or `get_index_space_shape` returns an extent that does not fit in its result
type. The result is undefined. Results are unsigned, and the program chooses their type."#,
    fix: "Use a wider result type, such as `tile<i64>`.",
    see: &["R0205", "get_tensor_shape", "get_index_space_shape"],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  //@   %p = f32[300] zeros
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [300], strides = [1] : tensor_view<300xf32, strides=[1]>
    %n = get_tensor_shape %v : tensor_view<300xf32, strides=[1]> -> tile<i8>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  //@   %p = f32[300] zeros
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [300], strides = [1] : tensor_view<300xf32, strides=[1]>
    %n = get_tensor_shape %v : tensor_view<300xf32, strides=[1]> -> tile<i32>
  }
}
"#,
};

/// An extent that does not fit in the result type.
pub(crate) fn fault(dim: usize, extent: i64, element: Element) -> Box<Fault> {
    Fault::new(&PAGE, format!("the extent {extent} of dimension {dim} does not fit in {element}"))
}
