//! E0601: code after a terminator.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0601.
pub(super) static PAGE: Page = Page {
    code: "E0601",
    name: "behind-terminator",
    severity: Severity::Error,
    text: r#"A statement follows the terminator of its block. `return`, `yield`, `continue` and `break` end their
block, so the statement could never run."#,
    fix: "Remove the statement, or move it before the terminator.",
    see: &["E0602", "return", "yield"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    return
    %a = iota : tile<4xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    return
  }
}
"#,
};

/// An op that follows a terminator without operands and has results.
pub(crate) fn op_after_terminator(range: Range<u32>, name: &str, terminator: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("no op may follow `{name}`, which ends the block"))
        .label(terminator, "the block ends here")
}

/// A terminator that is not the last op.
pub(crate) fn early_terminator(range: Range<u32>, name: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{name}` must be the last op of its block"))
}
