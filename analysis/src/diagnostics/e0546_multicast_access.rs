//! E0546: multicast access.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;
use tile_dialect::{Mnemonic, PTR_ATTR};

/// The page of E0546.
pub(super) static PAGE: Page = Page {
    code: "E0546",
    name: "multicast-access",
    severity: Severity::Error,
    text: r#"A multicast pointer is one address for the replicas of a buffer on several devices. Only the
multimem ops can access such memory, through a partition view of a tensor view that is made from a
multicast pointer. All other loads, stores and atomic ops need a pointer without an attribute, or
with `none` or `unicast`."#,
    fix: r#"Use `multimem_load_reduce_view_tko` to load, `multimem_store_view_tko` to store, and
`multimem_reduce_view_tko` to combine a tile with every replica. To access the replica of one
device, use an ordinary pointer to it."#,
    see: &["E0547", "ptr_attr", "multimem_load_reduce_view_tko", "multimem_store_view_tko", "multimem_reduce_view_tko"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32, <multicast>>>) {
    %a, %t = load_ptr_tko weak %p : tile<ptr<f32, <multicast>>> -> tile<f32>, token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32, <multicast>>>) {
    %i = constant <i32: 0> : tile<i32>
    %t = make_tensor_view %p, shape = [1], strides = [1] : tile<ptr<f32, <multicast>>> -> tensor_view<1xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %v = make_partition_view %t : partition_view<tile=(1), tensor_view<1xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %a, %k = multimem_load_reduce_view_tko weak %v[%i] : partition_view<tile=(1), tensor_view<1xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<1xf32>, token
  }
}
"#,
};

/// An ordinary access to multicast memory; `what` is `pointer` or `view`.
pub(crate) fn multicast_access(range: Range<u32>, op: Mnemonic, what: &str, ty: Type) -> Diagnostic {
    let name = op.row().name;
    let found = Diagnostic::new(&PAGE, range, format!("`{name}` cannot access memory through a multicast {what}"));
    found.here(format!("this is a `{ty}`")).note(match op {
        Mnemonic::LoadViewTko => "use `multimem_load_reduce_view_tko`, which combines the replicas",
        Mnemonic::StoreViewTko => "use `multimem_store_view_tko`, which writes every replica",
        Mnemonic::AtomicRedViewTko => "use `multimem_reduce_view_tko`, which changes every replica",
        _ => "use a multimem op through a partition view, or an ordinary pointer to the replica of one device",
    })
}

/// A multimem op whose view is not of multicast memory; `attr` is the pointer attribute of its tensor view.
pub(crate) fn multimem_memory(range: Range<u32>, op: Mnemonic, attr: Option<u8>) -> Diagnostic {
    let found = match attr {
        Some(attr) => format!("one with the pointer attribute `{}`", PTR_ATTR.keyword(attr)),
        None => "one without a pointer attribute".to_string(),
    };
    Diagnostic::new(&PAGE, range, format!("`{}` needs a view of multicast memory, found {found}", op.row().name))
        .note("make the tensor view from a pointer of type `ptr<…, <multicast>>`")
}

/// A multimem op whose view is not a partition view.
pub(crate) fn multimem_view(range: Range<u32>, op: Mnemonic, view: Type) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{}` supports only partition views", op.row().name))
        .here(format!("this is a `{view}`"))
        .note("make the view with `make_partition_view`")
}
