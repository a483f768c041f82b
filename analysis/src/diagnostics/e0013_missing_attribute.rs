//! E0013: missing attribute.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0013.
pub(super) static PAGE: Page = Page {
    code: "E0013",
    name: "missing-attribute",
    severity: Severity::Error,
    text: r#"An op in generic form does not have an attribute that it requires. The custom form has a place for
each required attribute; in generic form all of them are in the dictionary between `<{` and `}>`."#,
    fix: "Add the attribute to the dictionary. `tile doc OP` lists the attributes of an op.",
    see: &["E0010", "E0306", "generic form"],
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
