//! E0512: no conversion.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;
use tile_dialect::Element;

/// The page of E0512.
pub(super) static PAGE: Page = Page {
    code: "E0512",
    name: "no-conversion",
    severity: Severity::Error,
    text: r#"`ftof` converts floats to another float type. A conversion to the same type would do nothing, and
NVIDIA's tools reject it."#,
    fix: r#"Use the operand itself, or correct the result type."#,
    see: &["E0511", "E0514", "ftof"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <f32: 1.0> : tile<f32>
    %b = ftof %a : tile<f32> -> tile<f32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <f32: 1.0> : tile<f32>
    %b = ftof %a : tile<f32> -> tile<f16>
  }
}
"#,
};

/// A conversion to the same type.
pub(crate) fn no_conversion(range: Range<u32>, element: Element) -> Diagnostic {
    Diagnostic::new(
        &PAGE,
        range,
        format!("`ftof` from `{element}` to `{element}` converts nothing: use the operand itself"),
    )
}
