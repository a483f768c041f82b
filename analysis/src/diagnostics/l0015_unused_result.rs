//! L0015: unused result.

use crate::diagnostic::{Diagnostic, Page, Severity, Tag};
use std::ops::Range;

/// The page of L0015.
pub static PAGE: Page = Page {
    code: "L0015",
    name: "unused-result",
    severity: Severity::Hint,
    text: r#"The op has no side effects, and the entry does not use its results, or only in ops whose results it
does not use either. The compiler removes it. Often, another value is used by mistake. Editors show
such ops faded."#,
    fix: r#"Use the result, or remove the op: editors have an action for it, and one for all unused ops of an
entry."#,
    see: &["L0009", "P0204"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: 1> : tile<i32>
    %b = addi %a, %a : tile<i32>
    print_tko "%i\n", %a : tile<i32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: 1> : tile<i32>
    %b = addi %a, %a : tile<i32>
    print_tko "%i\n", %b : tile<i32> -> token
  }
}
"#,
};

/// An op whose results are not used, or only by ops whose results are not used.
pub fn unused_result(range: Range<u32>, op: &str, is_used: bool) -> Diagnostic {
    let how = if is_used { "used only by unused ops" } else { "not used" };
    Diagnostic::new(&PAGE, range, format!("the result of `{op}` is {how}")).tagged(Tag::Unnecessary)
}
