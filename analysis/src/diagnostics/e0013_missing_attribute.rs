//! E0013: missing attribute.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0013.
pub(super) static PAGE: Page = Page {
    code: "E0013",
    name: "missing-attribute",
    severity: Severity::Error,
    text: r#"An op in generic form lacks an attribute that it needs. `tile doc OP` lists them."#,
    fix: "",
    see: &[],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: 7> : tile<i32>
    %b = "cuda_tile.maxi"(%a, %a) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: 7> : tile<i32>
    %b = "cuda_tile.maxi"(%a, %a) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
  }
}
"#,
};

/// A required attribute that neither the properties nor the dictionary of an op in generic form has.
pub(crate) fn missing_attribute(range: Range<u32>, op: &str, attr: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{op}` needs the attribute `{attr}`"))
}
