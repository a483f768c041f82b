//! E0522: mma elements.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;
use tile_dialect::Element;

/// The page of E0522.
pub(super) static PAGE: Page = Page {
    code: "E0522",
    name: "mma-elements",
    severity: Severity::Error,
    text: r#"The element types of a matrix product do not fit together. Products of `f16`, `f8E4M3FN` and
`f8E5M2` are accumulated in `f16` or `f32`; those of `bf16`, `tf32` and `f32` in `f32`; those of
`f64` in `f64`; those of `i8` in `i32`. These are the combinations that tensor cores support."#,
    fix: "Convert the factors to one type, and use an accumulator of the listed type.",
    see: &["E0521", "E0515", "mmaf", "mmai"],
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

/// An accumulator that the factors cannot have.
pub(crate) fn mma_elements(range: Range<u32>, factor: Element, sum: Element) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("products of `{factor}` cannot be accumulated in `{sum}`"))
        .note("f16 and f8: f16 or f32; bf16, tf32 and f32: f32; f64: f64; i8: i32")
}
