//! R0203: integer overflow.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};
use tile_dialect::OVERFLOW;

/// The page of R0203.
pub(crate) static PAGE: Page = Page {
    code: "R0203",
    name: "integer-overflow",
    severity: Severity::Error,
    text: r#"An op with `overflow<…>` guarantees that its result fits, but it does not. The compiler relies on
the guarantee, so the result is undefined. A sanitized run checks this. Without the flag the result
wraps around, which is defined."#,
    fix: r#"- Remove the flag if wrapping around is intended.
- Otherwise compute in a wider type, or limit the operands."#,
    see: &["E0516", "R0204", "overflow"],
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

/// A result that does not fit in `width` bits, at a place of a tile.
pub(crate) fn fault(value: i128, width: u32, flag: u8, place: &str) -> Box<Fault> {
    let flag = OVERFLOW.keyword(flag);
    let bits = if width == 1 { "bit" } else { "bits" };
    Fault::new(&PAGE, format!("the result {value}{place} does not fit in {width} {bits}, contrary to `{flag}`"))
}
