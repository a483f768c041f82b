//! E0107: foreign op.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0107.
pub(super) static PAGE: Page = Page {
    code: "E0107",
    name: "foreign-op",
    severity: Severity::Error,
    text: r#"An op of another dialect. A Tile IR program holds ops of `cuda_tile` only."#,
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    "arith.addi"() : () -> ()
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
  }
}
"#,
};

/// An op in generic form that is none of ours.
pub(crate) fn foreign_op(range: Range<u32>, name: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("{name} is no op of Tile IR"))
}
