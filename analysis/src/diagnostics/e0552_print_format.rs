//! E0552: print format.

use super::words::counted;
use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0552.
pub(super) static PAGE: Page = Page {
    code: "E0552",
    name: "print-format",
    severity: Severity::Error,
    text: r#"The format of `print_tko` must have one conversion for each operand, such as `%i` or `%f`, as in C.
A conversion prints all elements of a tile."#,
    fix: r#"Add or remove conversions or operands. To print a percent sign, write `%%`."#,
    see: &["L0002", "L0014", "R0305", "print_tko"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    print_tko "%i %i\n", %a : tile<4xi32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    print_tko "%i\n", %a : tile<4xi32> -> token
  }
}
"#,
};

/// A number of conversions that differs from the number of operands. `fixed` is the corrected literal, if it is
/// certain.
pub(crate) fn print_count(range: Range<u32>, conversions: usize, operands: usize, fixed: Option<String>) -> Diagnostic {
    let (values, written) = (counted(operands as i64, "conversion"), counted(conversions as i64, "conversion"));
    let message = format!("expected {values}, one for each operand, found {written}");
    with_literal(Diagnostic::new(&PAGE, range, message), fixed)
        .note("conversions are as in C: `%i` for integers, `%f` for floats")
}

/// A `%` without a conversion.
pub(crate) fn print_unterminated(range: Range<u32>, fixed: Option<String>) -> Diagnostic {
    with_literal(Diagnostic::new(&PAGE, range, "expected a conversion after `%`, such as `%i` or `%f`"), fixed)
}

fn with_literal(diagnostic: Diagnostic, fixed: Option<String>) -> Diagnostic {
    let range = diagnostic.range.clone();
    let diagnostic = diagnostic.note("write `%%` to print a percent sign");
    match fixed {
        Some(literal) => diagnostic.fix(format!("write {literal}"), range, literal),
        None => diagnostic,
    }
}
