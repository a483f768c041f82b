//! E0512: no conversion.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;
use tile_dialect::Element;

/// The page of E0512.
pub(super) static PAGE: Page = Page {
    code: "E0512",
    name: "no-conversion",
    severity: Severity::Error,
    text: r#"`ftof` converts to the type that its operand already has. A conversion must change the element type,
since it would have no effect otherwise."#,
    fix: "Remove the conversion and use its operand.",
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
    Diagnostic::new(&PAGE, range, format!("this converts `{element}` to `{element}`: use the operand itself"))
}
