//! E0515: element not supported.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;
use tile_dialect::Element;

/// The page of E0515.
pub(super) static PAGE: Page = Page {
    code: "E0515",
    name: "element-not-supported",
    severity: Severity::Error,
    text: r#"The op does not support this element type, although it supports others of the same kind. For
example, `itof` cannot convert to `f8E8M0FNU`, and `select` cannot select elements of `f4E2M1FN`."#,
    fix: r#"Convert to a supported element type first. For example, convert an integer to `f32` with `itof`, and
the result to `f8E8M0FNU` with `ftof`."#,
    see: &["E0302", "itof", "select", "ftof", "f8E8M0FNU"],
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

/// An element type that this op does not support; `instead` is the alternative.
pub(crate) fn element_not_supported(range: Range<u32>, op: &str, element: Element, instead: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{op}` does not support `{element}`")).note(instead)
}
