//! R0203: integer overflow.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};
use tile_dialect::OVERFLOW;

/// The page of R0203.
pub(crate) static PAGE: Page = Page {
    code: "R0203",
    name: "integer-overflow",
    severity: Severity::Error,
    text: r#"An op with `overflow<…>` promises that its result fits, and it does not. The compiler relies on the
promise, so that the result is undefined. This is checked by runs that sanitize.

Without the flag the result wraps around, which is defined. Keep the flag where it is meant, and mend the numbers:
compute in a wider type, or bound the operands."#,
    fix: "",
    see: &[],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  //@   %n = 2147483647
  entry @k(%n: tile<i32>) {
    %one = constant <i32: 1> : tile<i32>
    %next = addi %n, %one overflow<no_signed_wrap> : tile<i32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  //@   %n = 2147483647
  entry @k(%n: tile<i32>) {
    %one = constant <i32: 1> : tile<i32>
    %next = addi %n, %one : tile<i32>
  }
}
"#,
};

/// A result that does not fit into `width` bits, at a place of a tile.
pub(crate) fn fault(value: i128, width: u32, flag: u8, place: &str) -> Box<Fault> {
    let flag = OVERFLOW.keyword(flag);
    let bits = if width == 1 { "bit" } else { "bits" };
    Fault::new(&PAGE, format!("the result {value}{place} does not fit into {width} {bits}, which `{flag}` promises"))
}
