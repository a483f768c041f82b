//! E0516: overflow promise.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0516.
pub(super) static PAGE: Page = Page {
    code: "E0516",
    name: "overflow-promise",
    severity: Severity::Error,
    text: r#"`negi` treats its operand as signed, so the flag `no_unsigned_wrap` has no meaning for it. An
overflow flag guarantees to the compiler that the result does not wrap around, and `negi` only
accepts the signed guarantee."#,
    fix: "Use `overflow<no_signed_wrap>`, or remove the flag.",
    see: &["negi", "overflow", "no_signed_wrap"],
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

/// A promise about unsigned overflow of a signed operation.
pub(crate) fn unsigned_promise(range: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, "`negi` is signed and cannot promise `no_unsigned_wrap`")
}
