//! E0516: overflow flag.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0516.
pub(super) static PAGE: Page = Page {
    code: "E0516",
    name: "overflow-flag",
    severity: Severity::Error,
    text: r#"`overflow<…>` states that a result does not wrap around, which the compiler then assumes. `negi`
reads its operand as signed, so it supports `no_signed_wrap`, but not `no_unsigned_wrap`."#,
    fix: r#"Write `overflow<no_signed_wrap>`, or remove the flag if the operand can be the smallest signed
number, whose negation does not fit."#,
    see: &["overflow", "negi", "R0203"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: 7> : tile<i32>
    %b = negi %a overflow<no_unsigned_wrap> : tile<i32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: 7> : tile<i32>
    %b = negi %a overflow<no_signed_wrap> : tile<i32>
  }
}
"#,
};

/// `no_unsigned_wrap` on a signed op.
pub(crate) fn unsupported_unsigned_wrap(range: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, "`negi` is signed and does not support `no_unsigned_wrap`")
}
