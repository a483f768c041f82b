//! E0552: print format.

use super::words::counted;
use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0552.
pub(super) static PAGE: Page = Page {
    code: "E0552",
    name: "print-format",
    severity: Severity::Error,
    text: r#"The format of a `print_tko` does not match its operands. It has one conversion, such as `%i` or
`%f`, for each operand."#,
    fix: "Add or remove conversions or operands. Write a percent sign as `%%`.",
    see: &["L0002", "L0014", "print_tko"],
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

/// More or fewer conversions than operands.
pub(crate) fn print_count(
    range: Range<u32>,
    conversions: usize,
    operands: usize,
    mended: Option<String>,
) -> Diagnostic {
    let (values, written) = (counted(operands as i64, "conversion"), counted(conversions as i64, "conversion"));
    let message = format!("expected {values}, one for each operand, found {written}");
    mend(Diagnostic::new(&PAGE, range, message), mended)
        .note("a conversion is `%i` for integers or `%f` for floats, as in C")
}

/// A `%` that no conversion follows.
pub(crate) fn print_unterminated(range: Range<u32>, mended: Option<String>) -> Diagnostic {
    mend(Diagnostic::new(&PAGE, range, "expected a conversion after `%`, such as `%i` or `%f`"), mended)
}

fn mend(diagnostic: Diagnostic, mended: Option<String>) -> Diagnostic {
    let range = diagnostic.range.clone();
    let diagnostic = diagnostic.note("a percent sign itself is written `%%`");
    match mended {
        Some(literal) => diagnostic.fix(format!("write {literal}"), range, literal),
        None => diagnostic,
    }
}
