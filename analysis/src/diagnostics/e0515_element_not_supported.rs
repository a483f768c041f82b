//! E0515: element not supported.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;
use tile_dialect::Element;

/// The page of E0515.
pub(super) static PAGE: Page = Page {
    code: "E0515",
    name: "element-not-supported",
    severity: Severity::Error,
    text: r#"The op accepts tiles, but not with this element type. The hardware implements most arithmetic for
some types only, and narrow types are mainly for storage and matrix products."#,
    fix: r#"Convert to an accepted element type first, for example with `ftof` to `f32`, and convert the result
back."#,
    see: &["E0302", "E0522", "ftof", "exti"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i8: 1> : tile<i8>
    %b = itof %a signed : tile<i8> -> tile<f8E8M0FNU>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i8: 1> : tile<i8>
    %b = itof %a signed : tile<i8> -> tile<f32>
    %c = ftof %b rounding<zero> : tile<f32> -> tile<f8E8M0FNU>
  }
}
"#,
};

/// An element type that this op cannot work with.
pub(crate) fn element_not_supported(range: Range<u32>, op: &str, element: Element, instead: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{op}` does not work with `{element}`")).note(instead)
}
