//! E0547: multimem tile.

use super::words::keywords;
use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;
use tile_dialect::{Element, MULTIMEM_REDUCTION, Mnemonic};

/// The page of E0547.
pub(super) static PAGE: Page = Page {
    code: "E0547",
    name: "multimem-tile",
    severity: Severity::Error,
    text: r#"The multimem ops support the element types `i32`, `i64`, `f16`, `bf16`, `f32` and `f64`. Integers
support every reduction. Floats support only `add`, except that `multimem_load_reduce_view_tko` also
supports `min` and `max` for `f16` and `bf16`.

The size of the tile must be a multiple of 4 bytes, so a tile of 16-bit floats has at least two
elements. Exactly one stride of their tensor view must be the constant 1."#,
    fix: r#"Choose a supported element type and reduction. For 16-bit floats, write the stride of 1 as a number
in the type, not as `?`."#,
    see: &["E0546", "multimem_reduction_kind", "multimem_load_reduce_view_tko", "strides"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32, <multicast>>>) {
    %i = constant <i32: 0> : tile<i32>
    %t = make_tensor_view %p, shape = [8], strides = [1] : tile<ptr<f32, <multicast>>> -> tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %v = make_partition_view %t : partition_view<tile=(4), tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %a, %k = multimem_load_reduce_view_tko weak %v[%i] attributes {reduction = #cuda_tile.multimem_reduction_kind<max>} : partition_view<tile=(4), tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<4xf32>, token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f16, <multicast>>>) {
    %i = constant <i32: 0> : tile<i32>
    %t = make_tensor_view %p, shape = [8], strides = [1] : tile<ptr<f16, <multicast>>> -> tensor_view<8xf16, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %v = make_partition_view %t : partition_view<tile=(4), tensor_view<8xf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %a, %k = multimem_load_reduce_view_tko weak %v[%i] attributes {reduction = #cuda_tile.multimem_reduction_kind<max>} : partition_view<tile=(4), tensor_view<8xf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<4xf16>, token
  }
}
"#,
};

/// An element type that no multimem op supports.
pub(crate) fn multimem_element(range: Range<u32>, op: Mnemonic, element: Element) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{}` does not support elements of type `{element}`", op.row().name))
        .note("multimem ops take `i32`, `i64`, `f16`, `bf16`, `f32` and `f64`")
}

/// A reduction that the op does not support for the element type; `allowed` lists the supported ones.
pub(crate) fn multimem_reduction(
    range: Range<u32>,
    op: Mnemonic,
    reduction: u8,
    element: Element,
    allowed: &[u8],
) -> Diagnostic {
    let (name, reduction) = (op.row().name, MULTIMEM_REDUCTION.keyword(reduction));
    Diagnostic::new(&PAGE, range, format!("the reduction `{reduction}` of `{name}` does not support `{element}`"))
        .note(format!("`{element}` takes {}", keywords(&MULTIMEM_REDUCTION, allowed)))
}

/// A tile whose size is not a multiple of 4 bytes.
pub(crate) fn multimem_size(range: Range<u32>, op: Mnemonic, tile: Type, bytes: i64) -> Diagnostic {
    let name = op.row().name;
    Diagnostic::new(&PAGE, range, format!("`{tile}` takes {bytes} bytes; `{name}` needs a multiple of 4"))
        .note("use a tile of at least two elements")
}

/// A view of 16-bit floats without exactly one static stride of 1.
pub(crate) fn multimem_stride(range: Range<u32>, op: Mnemonic, element: Element, count: usize) -> Diagnostic {
    let found = match count {
        0 => "none".to_string(),
        count => count.to_string(),
    };
    let message = format!("`{}` of `{element}` needs exactly one stride of 1, found {found}", op.row().name);
    let note = "a stride that is `?` in the type does not count";
    let diagnostic = Diagnostic::new(&PAGE, range, message);
    if count == 0 { diagnostic.note(note) } else { diagnostic }
}
