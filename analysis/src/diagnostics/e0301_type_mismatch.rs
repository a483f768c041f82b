//! E0301: type mismatch.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;

/// The page of E0301.
pub(super) static PAGE: Page = Page {
    code: "E0301",
    name: "type-mismatch",
    severity: Severity::Error,
    text: r#"An op states the types of its operands. One of them has another type where it is defined. Types never convert by
themselves: shapes change with `reshape` and `broadcast`, element types with `exti`, `itof`, `ftof`, …."#,
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %b = absi %a : tile<8xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %b = absi %a : tile<4xi32>
  }
}
"#,
};

/// Whether it says that written types and operands disagree.
pub(crate) fn is_type_clash(diagnostic: &Diagnostic) -> bool {
    let pages = [&PAGE, &super::e0303_types_disagree::PAGE, &super::e0304_type_count::PAGE];
    pages.contains(&diagnostic.page)
}

/// An operand that has another type than the op states.
pub(crate) fn type_mismatch(
    range: Range<u32>,
    name: &str,
    stated: Type,
    actual: Type,
    definition: Range<u32>,
) -> Diagnostic {
    let message = format!("`{name}` is a `{actual}`, but this op takes it as a `{stated}`");
    let diagnostic = Diagnostic::new(&PAGE, range, message).here(format!("this is a `{actual}`"));
    if definition.is_empty() { diagnostic } else { diagnostic.label(definition, "it is defined here") }
}
