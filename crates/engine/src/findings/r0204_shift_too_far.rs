//! R0204: shift too far.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};

/// The page of R0204.
pub(crate) static PAGE: Page = Page {
    code: "R0204",
    name: "shift-too-far",
    severity: Severity::Error,
    text: r#"`shli` or `shri` shifts by the width of the type or more. The amount is unsigned, so a negative one
is very large. The result is unspecified, and processors differ. A sanitized run checks this."#,
    fix: "Limit the amount, or select the result for large amounts with `select`.",
    see: &["R0203", "shli", "shri"],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  //@   %n = 32
  entry @k(%n: tile<i32>) {
    %one = constant <i32: 1> : tile<i32>
    %bit = shli %one, %n : tile<i32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  //@   %n = 32
  entry @k(%n: tile<i32>) {
    %one = constant <i64: 1> : tile<i64>
    %wide = exti %n unsigned : tile<i32> -> tile<i64>
    %bit = shli %one, %wide : tile<i64>
  }
}
"#,
};

/// A shift of a `width`-bit number, at a place of a tile.
pub(crate) fn fault(amount: u64, width: u64, place: &str) -> Box<Fault> {
    Fault::new(&PAGE, format!("a {width}-bit number is shifted by {amount}{place}"))
}
