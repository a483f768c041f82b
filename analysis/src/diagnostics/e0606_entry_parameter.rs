//! E0606: entry parameter.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;
use tile_dialect::DIALECT_PREFIX;

/// The page of E0606.
pub(super) static PAGE: Page = Page {
    code: "E0606",
    name: "entry-parameter",
    severity: Severity::Error,
    text: r#"A parameter of an entry has a type or an attribute that is not allowed. The host passes scalars and
pointers, which are tiles of rank 0: `tile<i32>`, `tile<ptr<f32>>`. Attributes of a parameter need
the prefix of a dialect in their name, such as `my.note`.

NVIDIA's tools before 13.5 accepted parameters that are not tiles, and their compiler refused the
program without a reason; for older targets such a parameter is a warning, L0012."#,
    fix: "Pass a pointer, and load larger tiles through it. Create views and tokens in the entry.",
    see: &["E0607", "L0012", "entry", "parameter attributes"],
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

/// A parameter that is not a scalar.
pub(crate) fn entry_parameter(range: Range<u32>, name: &str, ty: Type) -> Diagnostic {
    let message = format!("the parameter `{name}` must be a tile of rank 0, found `{ty}`");
    Diagnostic::new(&PAGE, range, message).note("pass a pointer, `tile<ptr<f32>>`, and load the tile through it")
}

/// An attribute of a parameter whose name has no dialect.
pub(crate) fn parameter_attribute(range: Range<u32>, op: &str, name: &str) -> Diagnostic {
    let message = format!("the attribute `{name}` of a parameter of `{op}` needs the prefix of a dialect");
    let start = range.start..range.start;
    Diagnostic::new(&PAGE, range, message).fix(format!("write `{DIALECT_PREFIX}{name}`"), start, DIALECT_PREFIX)
}
