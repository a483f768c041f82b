//! E0601: op after a terminator.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0601.
pub(super) static PAGE: Page = Page {
    code: "E0601",
    name: "behind-terminator",
    severity: Severity::Error,
    text: r#"`return`, `yield`, `continue` and `break` end their block. No op can follow them, because it would
never run."#,
    fix: r#"Move the op before the terminator, or remove it. To leave a loop or an entry only under a condition,
put the terminator in an `if`."#,
    see: &["E0602", "return", "continue", "break", "if"],
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

/// An op after a terminator, whose results look like operands of the terminator.
pub(crate) fn op_after_terminator(range: Range<u32>, name: &str, terminator: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("no op may follow `{name}`, which ends the block"))
        .label(terminator, "the block ends here")
}

/// A terminator that is not the last op.
pub(crate) fn early_terminator(range: Range<u32>, name: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{name}` must be the last op of its block"))
}
