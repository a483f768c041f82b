//! R0201: division by zero.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};

/// The page of R0201.
pub(crate) static PAGE: Page = Page {
    code: "R0201",
    name: "division-by-zero",
    severity: Severity::Error,
    text: r#"`divi` or `remi` divides by 0, which is undefined. This applies to every element, even one whose
result is not used: masking a later op does not help."#,
    fix: "Replace zero divisors by another number with `select` before the division.",
    see: &["R0202", "divi", "remi", "select"],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  //@   %n = 0
  entry @k(%n: tile<i32>) {
    %x = constant <i32: 10> : tile<i32>
    %q = divi %x, %n signed : tile<i32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  //@   %n = 0
  entry @k(%n: tile<i32>) {
    %x = constant <i32: 10> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %empty = cmpi equal %n, %zero, signed : tile<i32> -> tile<i1>
    %divisor = select %empty, %one, %n : tile<i1>, tile<i32>
    %q = divi %x, %divisor signed : tile<i32>
  }
}
"#,
};

/// A dividend that is divided by 0, at a place of a tile.
pub(crate) fn fault(dividend: impl std::fmt::Display, place: &str) -> Box<Fault> {
    Fault::new(&PAGE, format!("{dividend} is divided by 0{place}"))
}
