//! E0102: redefinition.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0102.
pub(super) static PAGE: Page = Page {
    code: "E0102",
    name: "redefinition",
    severity: Severity::Error,
    text: r#"A name is defined twice where both definitions are visible. Tile IR is in single assignment form: a
name stands for one value wherever it is visible, and names in regions do not hide those outside."#,
    fix: "Rename one of the two values.",
    see: &["E0101", "E0106", "value"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %a = iota : tile<8xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %b = iota : tile<8xi32>
  }
}
"#,
};

/// A definition of a name that is taken.
#[derive(Debug)]
pub(crate) struct Redefinition<'t> {
    /// The name without `%`.
    pub(crate) name: &'t str,
    pub(crate) place: Range<u32>,
    pub(crate) earlier: Range<u32>,
    /// Other names that the same statement defines again.
    pub(crate) others: Vec<Range<u32>>,
}

impl Redefinition<'_> {
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let found = Diagnostic::new(&PAGE, self.place.clone(), format!("`%{}` is already defined", self.name))
            .label(self.earlier.clone(), "first defined here")
            .note("a name can only be defined once; choose another one");
        self.others.iter().fold(found, |found, other| found.label(other.clone(), "also defined here"))
    }
}
