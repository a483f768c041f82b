//! E0106: duplicate symbol.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0106.
pub(super) static PAGE: Page = Page {
    code: "E0106",
    name: "duplicate-symbol",
    severity: Severity::Error,
    text: r#"Two entries or globals of a module have the same name. The host finds entries and globals by their
names, so these must be unique."#,
    fix: "Rename one of them.",
    see: &["E0102", "E0104", "entry", "global"],
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
