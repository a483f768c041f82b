//! E0612: private entry.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0612.
pub(super) static PAGE: Page = Page {
    code: "E0612",
    name: "private-entry",
    severity: Severity::Error,
    text: r#"The host launches an entry by its name, so an entry must be public. Bytecode can mark an entry as
private, and `tile dis` then prints `{sym_visibility = "private"}` after its body.

NVIDIA's tools have checked this since 13.5, in bytecode of every version. For older targets it is
the warning L0013."#,
    fix: r#"Remove the attribute, or write `"public"` instead of `"private"`."#,
    see: &["L0013", "entry", "visibility"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
  } {sym_visibility = "private"}
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
  }
}
"#,
};

/// A private entry; `range` is the value of its visibility.
pub(crate) fn private_entry(range: Range<u32>, name: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range.clone(), format!("the entry `@{name}` is private; an entry must be public")).fix(
        "write `\"public\"`",
        range,
        "\"public\"",
    )
}
