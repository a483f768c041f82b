//! E0102: redefinition.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0102.
pub(super) static PAGE: Page = Page {
    code: "E0102",
    name: "redefinition",
    severity: Severity::Error,
    text: r#"A name refers to a single value wherever it is visible. Values never change, so there is no
assignment, and a region cannot shadow the names around it. Two regions can use the same name if
neither contains the other."#,
    fix: r#"Choose another name for the second definition. To update a value in a loop, carry it from one
iteration to the next with `iter_values`."#,
    see: &["E0101", "E0106", "value", "for"],
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

/// A second definition of a name.
#[derive(Debug)]
pub(crate) struct Redefinition<'t> {
    /// The name without `%`.
    pub(crate) name: &'t str,
    pub(crate) place: Range<u32>,
    pub(crate) earlier: Range<u32>,
    /// Other names that the same statement redefines.
    pub(crate) others: Vec<Range<u32>>,
}

impl Redefinition<'_> {
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let found = Diagnostic::new(&PAGE, self.place.clone(), format!("`%{}` is already defined", self.name))
            .label(self.earlier.clone(), "first defined here")
            .note("choose another name: a name is defined only once");
        self.others.iter().fold(found, |found, other| found.label(other.clone(), "also already defined"))
    }
}
