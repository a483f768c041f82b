//! E0202: malformed type.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0202.
pub(super) static PAGE: Page = Page {
    code: "E0202",
    name: "malformed-type",
    severity: Severity::Error,
    text: r#"The type is not written the way this type is written:

- `tile<4x8xf32>`, `tile<f32>`, `tile<4xptr<f32>>`
- `tensor_view<?x8xf32, strides=[?,1]>`
- `partition_view<tile=(4x8), padding_value = zero, tensor_view<…>, dim_map=[1, 0]>`, in this order
- `token`"#,
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32>
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

/// A type whose parts are not where they belong.
pub(crate) fn malformed_type(range: Range<u32>, what: &str, found: &str) -> Diagnostic {
    let found = if found.is_empty() { "nothing".to_string() } else { format!("`{found}`") };
    Diagnostic::new(&PAGE, range, format!("{what} should stand here, not {found}"))
}

/// `view=` in front of the tensor view, as older documentation writes it.
pub(crate) fn view_keyword(range: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range.clone(), "the tensor view stands without `view=`").fix("remove `view=`", range, "")
}

/// `padding_value` behind the tensor view.
pub(crate) fn late_padding(range: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, "`padding_value` stands in front of the tensor view, directly behind `tile=(…)`")
}
