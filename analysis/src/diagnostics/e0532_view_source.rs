//! E0532: view source.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::{Pointer, TensorViewType, TileType, Type};
use std::ops::Range;
use tile_dialect::PTR_ATTR;

/// The page of E0532.
pub(super) static PAGE: Page = Page {
    code: "E0532",
    name: "view-source",
    severity: Severity::Error,
    text: r#"A tensor view has the element type and the pointer attribute of the pointer that it is made from.
The type of a partition, strided or gather/scatter view contains the exact type of its tensor view."#,
    fix: r#"Write the type of the operand in the type of the result. To view memory as elements of another type,
convert the pointer with `ptr_to_ptr` first. An alias, such as `!view = !cuda_tile.tensor_view<…>`,
keeps repeated types equal."#,
    see: &["E0531", "make_tensor_view", "make_partition_view", "ptr_to_ptr", "ptr_attr"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf16, strides=[1]>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
  }
}
"#,
};

/// A pointer to another element type.
pub(crate) fn view_pointer(range: Range<u32>, pointer: &TileType, view: &TensorViewType) -> Diagnostic {
    let message = format!("the pointer has type `{pointer}`, but the view has elements of type `{}`", view.element);
    Diagnostic::new(&PAGE, range, message)
}

/// A pointer attribute that differs from that of the pointer. `written` says whether the text spells out the type of
/// the view.
pub(crate) fn view_attr(range: Range<u32>, pointer: Pointer, view: &TensorViewType, written: bool) -> Diagnostic {
    let keyword = |attr| PTR_ATTR.keyword(attr);
    let message = match (view.attr, pointer.attr) {
        (None, Some(base)) => {
            format!("the view has no pointer attribute, but its base pointer has `{}`", keyword(base))
        }
        (view, base) => {
            let view = view.map_or("?", keyword);
            let base = base.map_or("none".to_string(), |base| format!("`{}`", keyword(base)));
            format!("the view has the pointer attribute `{view}`, but its base pointer has {base}")
        }
    };
    let found = Diagnostic::new(&PAGE, range.clone(), message);
    let title = match pointer.attr {
        Some(attr) => format!("write `#cuda_tile.ptr_attr<{}>` in the view", PTR_ATTR.keyword(attr)),
        None => "remove the pointer attribute from the view".to_string(),
    };
    let other = TensorViewType { attr: pointer.attr, ..view.clone() };
    let found = if written { found.fix(title, range, other.to_string()) } else { found };
    found.note("use `ptr_to_ptr` to change the attribute of a pointer")
}

/// A result type with a tensor view other than the operand's.
pub(crate) fn view_tensor(range: Range<u32>, operand: Type, stated: Type) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("the operand has type `{operand}`, but the result type contains `{stated}`"))
}
