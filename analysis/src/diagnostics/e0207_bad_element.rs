//! E0207: bad element.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0207.
pub(super) static PAGE: Page = Page {
    code: "E0207",
    name: "bad-element",
    severity: Severity::Error,
    text: r#"Not every type can be an element: tiles hold numbers and pointers, pointers and tensor views lead to numbers, constants are
numbers. `i4` is an element of tiles only, and has no constants."#,
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i4: 1> : tile<2xi4>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i8: 1> : tile<2xi8>
  }
}
"#,
};

/// A type that cannot stand inside this one.
pub(crate) fn bad_element(range: Range<u32>, holder: &str, found: &str) -> Diagnostic {
    let found = if found.is_empty() { "nothing".to_string() } else { format!("`{found}`") };
    Diagnostic::new(&PAGE, range, format!("{found} cannot be the element type of {holder}"))
}
