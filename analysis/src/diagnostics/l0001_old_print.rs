//! L0001: old print.

use crate::diagnostic::Edit;
use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of L0001.
pub(super) static PAGE: Page = Page {
    code: "L0001",
    name: "old-print",
    severity: Severity::Warning,
    text: r#"`print` was renamed to `print_tko` in 13.2, and gives a token that orders it. The old spelling is still understood here, but
NVIDIA's tools from 13.2 on reject it."#,
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    print "hello\n"
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    print_tko "hello\n" -> token
  }
}
"#,
};

/// The old name; `end` is where the statement ends, and `has_arrow` whether it already says `-> token`.
pub(crate) fn old_print(range: Range<u32>, written: &str, end: u32, has_arrow: bool) -> Diagnostic {
    let name = written.replace("print", "print_tko");
    let mut edits = vec![Edit { range: range.clone(), content: name }];
    if !has_arrow {
        edits.push(Edit { range: end..end, content: " -> token".to_string() });
    }
    Diagnostic::new(&PAGE, range, "`print` is called `print_tko` since 13.2, and gives a token")
        .fix_all("write `print_tko … -> token`", edits)
}
