//! E0106: duplicate symbol.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0106.
pub(super) static PAGE: Page = Page {
    code: "E0106",
    name: "duplicate-symbol",
    severity: Severity::Error,
    text: r#"Entries and globals of one module have different names: the host finds them by name."#,
    fix: "",
    see: &[],
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

/// A symbol that is taken.
pub(crate) fn duplicate_symbol(range: Range<u32>, name: &str, earlier: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`@{name}` is already defined")).label(earlier, "first defined here")
}

/// An alias whose name is taken.
pub(crate) fn duplicate_alias(range: Range<u32>, name: &str, earlier: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("the alias `{name}` is already defined")).label(earlier, "first defined here")
}
