//! E0011: number too large.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0011.
pub(super) static PAGE: Page = Page {
    code: "E0011",
    name: "number-too-large",
    severity: Severity::Error,
    text: r#"A number does not fit in 64 bits, or in the fewer bits that this place provides. The tools store
such numbers in fixed-width fields, so a larger one would be truncated."#,
    fix: r#"Use a smaller number. If it is an extent or a stride that is only known at run time, write `?` in
the type of the tensor view."#,
    see: &["E0204", "E0205", "E0401"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %b = reduce %a dim = 9999999999 identities = [0 : i32] : tile<4xi32> -> tile<i32>
    (%x: tile<i32>, %y: tile<i32>) {
      yield %x : tile<i32>
    }
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %b = reduce %a dim = 0 identities = [0 : i32] : tile<4xi32> -> tile<i32>
    (%x: tile<i32>, %y: tile<i32>) {
      yield %x : tile<i32>
    }
  }
}
"#,
};

/// A number that does not fit.
pub(crate) fn number_too_large(range: Range<u32>, number: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("{number} does not fit here"))
}
