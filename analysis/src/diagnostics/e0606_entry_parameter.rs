//! E0606: entry parameter.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;

/// The page of E0606.
pub(super) static PAGE: Page = Page {
    code: "E0606",
    name: "entry-parameter",
    severity: Severity::Error,
    text: r#"The host hands an entry scalars and pointers: its parameters are tiles of rank 0. A larger tile is loaded through a pointer."#,
    wrong: r#"cuda_tile.module @m {
  entry @k(%a: tile<4xf32>) {
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%a: tile<ptr<f32>>) {
  }
}
"#,
};

/// A parameter that is no scalar.
pub(crate) fn entry_parameter(range: Range<u32>, name: &str, ty: Type) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("the parameter `{name}` must be a tile of rank 0, not a `{ty}`"))
}

/// An attribute of a parameter whose name has no dialect.
pub(crate) fn parameter_attribute(range: Range<u32>, op: &str, name: &str) -> Diagnostic {
    let message = format!("a parameter of `{op}` has no attribute `{name}`");
    Diagnostic::new(&PAGE, range, message)
        .note("attributes of parameters are other dialects' and have their prefix: `a.b`")
}
