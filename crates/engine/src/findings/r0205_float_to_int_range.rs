//! R0205: float to int range.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};
use tile_dialect::Element;

/// The page of R0205.
pub(crate) static PAGE: Page = Page {
    code: "R0205",
    name: "float-to-int-range",
    severity: Severity::Error,
    text: r#"`ftoi` converts a float that is out of the range of the integer type: too large, too small, infinite
or NaN. The result is undefined, and processors differ. A sanitized run checks this."#,
    fix: r#"- Use `saturating` (since 13.4), which converts to the nearest integer in range, and NaN to 0.
- For older versions, limit the float with `maxf` and `minf`."#,
    see: &["R0203", "ftoi", "saturating"],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  //@   %x = 300.0
  entry @k(%x: tile<f32>) {
    %n = ftoi %x signed : tile<f32> -> tile<i8>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  //@   %x = 300.0
  entry @k(%x: tile<f32>) {
    %n = ftoi %x signed saturating : tile<f32> -> tile<i8>
  }
}
"#,
};

/// A float that is not between two integers, at a place of a tile.
pub(crate) fn fault(value: f64, element: Element, low: i128, high: i128, place: &str) -> Box<Fault> {
    Fault::new(&PAGE, format!("{value}{place} is not between {low} and {high}, the range of {element} here"))
}
