//! E0106: duplicate symbol.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0106.
pub(super) static PAGE: Page = Page {
    code: "E0106",
    name: "duplicate-symbol",
    severity: Severity::Error,
    text: r#"The entries and globals of a module must have different names, because the host finds them by name.
The aliases of a file must have different names, too."#,
    fix: r#"Rename one of the two definitions and its uses, or remove the one that is not needed."#,
    see: &["E0102", "E0104", "entry", "global", "alias"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
  }
  entry @k() {
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
  }
  entry @l() {
  }
}
"#,
};

/// A symbol that is already defined.
pub(crate) fn duplicate_symbol(range: Range<u32>, name: &str, earlier: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`@{name}` is already defined")).label(earlier, "first defined here")
}

/// An alias that is already defined.
pub(crate) fn duplicate_alias(range: Range<u32>, name: &str, earlier: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("the alias `{name}` is already defined")).label(earlier, "first defined here")
}
