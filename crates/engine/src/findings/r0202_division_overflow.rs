//! R0202: division overflow.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};

/// The page of R0202.
pub(crate) static PAGE: Page = Page {
    code: "R0202",
    name: "division-overflow",
    severity: Severity::Error,
    text: r#"A signed `divi` divides the most negative number by -1. The quotient exceeds the largest number of
the type by one, so the result is undefined. (The remainder of these two numbers is defined: it is
0.)"#,
    fix: "Divide in a wider type, or exclude one of the two numbers.",
    see: &["R0201", "R0203", "divi"],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  //@   %n = -128
  entry @k(%n: tile<i8>) {
    %minus = constant <i8: -1> : tile<i8>
    %q = divi %n, %minus signed : tile<i8>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  //@   %n = -128
  entry @k(%n: tile<i8>) {
    %minus = constant <i16: -1> : tile<i16>
    %wide = exti %n signed : tile<i8> -> tile<i16>
    %q = divi %wide, %minus signed : tile<i16>
  }
}
"#,
};

/// The most negative number divided by -1, at a place of a tile.
pub(crate) fn fault(place: &str) -> Box<Fault> {
    Fault::new(&PAGE, format!("the most negative number is divided by -1{place}"))
}
