//! E0552: print format.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0552.
pub(super) static PAGE: Page = Page {
    code: "E0552",
    name: "print-format",
    severity: Severity::Error,
    text: r#"The format of a print has one conversion for each operand, such as `%i` or `%f`. A percent sign itself is written `%%`."#,
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
    let message =
        format!("the number of conversions in the format is {conversions}, but that of operands is {operands}");
    mend(Diagnostic::new(&PAGE, range, message), mended)
}

/// A `%` that no conversion follows.
pub(crate) fn print_unterminated(range: Range<u32>, mended: Option<String>) -> Diagnostic {
    mend(Diagnostic::new(&PAGE, range, "a `%` of the format has no conversion behind it"), mended)
}

fn mend(diagnostic: Diagnostic, mended: Option<String>) -> Diagnostic {
    let range = diagnostic.range.clone();
    let diagnostic = diagnostic.note("a percent sign itself is written `%%`");
    match mended {
        Some(literal) => diagnostic.fix(format!("write {literal}"), range, literal),
        None => diagnostic,
    }
}
