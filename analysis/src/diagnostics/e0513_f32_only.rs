//! E0513: f32 only.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;
use tile_dialect::Element;

/// The page of E0513.
pub(super) static PAGE: Page = Page {
    code: "E0513",
    name: "f32-only",
    severity: Severity::Error,
    text: r#"`flush_to_zero`, `rounding<approx>` and `rounding<full>` are supported for `f32` only. The exception
is `rounding<full>` of `exp` and `tanh`, which is their default for every type."#,
    fix: r#"Remove the option, or convert the operands to `f32` with `ftof` first."#,
    see: &["E0514", "flush_to_zero", "approx", "full", "ftof"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <f16: 1.0> : tile<f16>
    %b = addf %a, %a flush_to_zero : tile<f16>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <f32: 1.0> : tile<f32>
    %b = addf %a, %a flush_to_zero : tile<f32>
  }
}
"#,
};

/// An option that only `f32` supports.
pub(crate) fn f32_only(range: Range<u32>, option: &str, element: Element) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{option}` is only supported for `f32`, found `{element}`"))
}
