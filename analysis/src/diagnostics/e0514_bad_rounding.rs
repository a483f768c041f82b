//! E0514: bad rounding.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;
use tile_dialect::Element;

/// The page of E0514.
pub(super) static PAGE: Page = Page {
    code: "E0514",
    name: "bad-rounding",
    severity: Severity::Error,
    text: r#"The op supports this rounding mode, but not for these types or in this combination:

- An unsigned division does not round to `negative_inf`.
- A conversion to `f8E8M0FNU` rounds to `zero` or `positive_inf`, and has to state which.
- Other conversions between floats support the modes that the message lists; before 13.4 this is
  only `nearest_even`."#,
    fix: r#"Choose one of the modes that the message lists. In an unsigned division, remove the mode: the
default, `rounding<zero>`, gives the same quotient."#,
    see: &["E0004", "E0513", "rounding", "divi", "ftof"],
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

/// Rounding towards negative infinity in an unsigned division.
pub(crate) fn floor_unsigned(range: Range<u32>) -> Diagnostic {
    let message = "unsigned division does not support `rounding<negative_inf>`";
    Diagnostic::new(&PAGE, range, message).note("the default, `rounding<zero>`, gives the same quotient")
}

/// A rounding mode that a conversion to this element type does not support.
pub(crate) fn conversion_rounding(range: Range<u32>, mode: &str, to: Element, allowed: &str) -> Diagnostic {
    let message = format!("a conversion to `{to}` does not support rounding mode `{mode}`; expected {allowed}");
    let diagnostic = Diagnostic::new(&PAGE, range, message);
    match mode {
        "nearest_even" => diagnostic.note("`nearest_even` is also the default, so the rounding mode must be written"),
        _ => diagnostic,
    }
}
