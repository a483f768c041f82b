//! E0013: missing attribute.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0013.
pub(super) static PAGE: Page = Page {
    code: "E0013",
    name: "missing-attribute",
    severity: Severity::Error,
    text: r#"An op in generic form lacks an attribute that it needs. Generic form lists attributes by name in
`<{…}>`, and only optional ones can be omitted."#,
    fix: r#"Add the attribute to `<{…}>`, or write the op in custom form. `tile doc OP` lists the attributes of
an op."#,
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

/// A required attribute that is missing from the properties and the dictionary of an op in generic form.
pub(crate) fn missing_attribute(range: Range<u32>, op: &str, attr: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{op}` needs the attribute `{attr}`"))
}
