//! R0206: negative scale.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};

/// The page of R0206.
pub(crate) static PAGE: Page = Page {
    code: "R0206",
    name: "negative-scale",
    severity: Severity::Error,
    text: r#"A scale of `mmaf_scaled` is negative. Scales of type `f8E4M3FN` must not be negative, although the
type has a sign: the product would be undefined. (The other types of scales have no negative
numbers.) A sanitized run checks this."#,
    fix: "Move the sign into the scaled factor.",
    see: &["E0523", "mmaf_scaled", "f8E4M3FN"],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  entry @k() {
    %a = constant <f4E2M1FN: 1.0> : tile<2x32xf4E2M1FN>
    %b = constant <f4E2M1FN: 2.0> : tile<32x2xf4E2M1FN>
    %c = constant <f32: 0.0> : tile<2x2xf32>
    %s = constant <f8E4M3FN: -2.0> : tile<2x2xf8E4M3FN>
    %t = constant <f8E4M3FN: 1.0> : tile<2x2xf8E4M3FN>
    %d = mmaf_scaled %a, %b, %c, %s, %t
        : tile<2x32xf4E2M1FN>, tile<32x2xf4E2M1FN>, tile<2x2xf32>, tile<2x2xf8E4M3FN>, tile<2x2xf8E4M3FN>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  entry @k() {
    %a = constant <f4E2M1FN: -1.0> : tile<2x32xf4E2M1FN>
    %b = constant <f4E2M1FN: 2.0> : tile<32x2xf4E2M1FN>
    %c = constant <f32: 0.0> : tile<2x2xf32>
    %s = constant <f8E4M3FN: 2.0> : tile<2x2xf8E4M3FN>
    %t = constant <f8E4M3FN: 1.0> : tile<2x2xf8E4M3FN>
    %d = mmaf_scaled %a, %b, %c, %s, %t
        : tile<2x32xf4E2M1FN>, tile<32x2xf4E2M1FN>, tile<2x2xf32>, tile<2x2xf8E4M3FN>, tile<2x2xf8E4M3FN>
  }
}
"#,
};

/// A scale below zero, of the left or the right factor.
pub(crate) fn fault(value: f64, side: &str, place: &str) -> Box<Fault> {
    Fault::new(&PAGE, format!("the scale {value}{place} of the {side} scales is negative"))
}
