//! E0522: mma elements.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;
use tile_dialect::Element;

/// The page of E0522.
pub(super) static PAGE: Page = Page {
    code: "E0522",
    name: "mma-elements",
    severity: Severity::Error,
    text: r#"The types of a matrix product do not fit together. The accumulator must have a type that suits the
factors:

| factors | accumulator |
|---|---|
| `f16`, `f8E4M3FN`, `f8E5M2` | `f16`, `f32` |
| `bf16`, `tf32`, `f32` | `f32` |
| `f64` | `f64` |
| `i8` | `i32` |"#,
    fix: r#"Use an accumulator from the table. If the result should have another type, convert it afterwards,
with `ftof` or `trunci`."#,
    see: &["E0521", "E0523", "mmaf", "mmai", "ftof"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <bf16: 1.0> : tile<4x4xbf16>
    %c = constant <f16: 0.0> : tile<4x4xf16>
    %d = mmaf %a, %a, %c : tile<4x4xbf16>, tile<4x4xbf16>, tile<4x4xf16>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <bf16: 1.0> : tile<4x4xbf16>
    %c = constant <f32: 0.0> : tile<4x4xf32>
    %d = mmaf %a, %a, %c : tile<4x4xbf16>, tile<4x4xbf16>, tile<4x4xf32>
  }
}
"#,
};

/// An accumulator type that does not suit the factors.
pub(crate) fn mma_elements(range: Range<u32>, factor: Element, sum: Element) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("products of `{factor}` cannot be accumulated in `{sum}`"))
        .note("accumulate f16 and 8-bit floats in f16 or f32; bf16, tf32 and f32 in f32; f64 in f64; i8 in i32")
}
