//! E0514: bad rounding.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;
use tile_dialect::Element;

/// The page of E0514.
pub(super) static PAGE: Page = Page {
    code: "E0514",
    name: "bad-rounding",
    severity: Severity::Error,
    text: r#"The rounding mode is not available for these types, or not together with this keyword. A division of
unsigned integers cannot round to `negative_inf`, a conversion to `f8E8M0FNU` needs `zero` or
`positive_inf`, and before 13.4 other conversions between floats only round to `nearest_even`."#,
    fix: "Use one of the rounding modes that the message lists.",
    see: &["E0004", "E0513", "rounding", "ftof"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: 7> : tile<i32>
    %b = divi %a, %a unsigned rounding<negative_inf> : tile<i32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: 7> : tile<i32>
    %b = divi %a, %a signed rounding<negative_inf> : tile<i32>
  }
}
"#,
};

/// Rounding down for unsigned integers.
pub(crate) fn floor_unsigned(range: Range<u32>) -> Diagnostic {
    let message = "a division of unsigned integers has no `rounding<negative_inf>`";
    Diagnostic::new(&PAGE, range, message).note("the default, `rounding<zero>`, gives the same quotient")
}

/// A rounding mode that a conversion to this element lacks.
pub(crate) fn conversion_rounding(range: Range<u32>, mode: &str, to: Element, allowed: &str) -> Diagnostic {
    let message = format!("a conversion to `{to}` rounds to {allowed}, not to `{mode}`");
    let diagnostic = Diagnostic::new(&PAGE, range, message);
    match mode {
        "nearest_even" => diagnostic.note("`nearest_even` is also what it means to write no rounding mode"),
        _ => diagnostic,
    }
}
