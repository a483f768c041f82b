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
    text: r#"The host passes scalars and pointers to an entry, so its parameters are tiles of rank 0, such as
`tile<i32>` and `tile<ptr<f32>>`. The name of a parameter attribute needs a dialect prefix, as in
`my.note`.

NVIDIA's tools before 13.5 accept parameters that are not tiles, but their compiler rejects the
program without giving a reason. For older targets, such a parameter is the warning L0012."#,
    fix: r#"Pass a pointer, and load a larger tile through it. Make views and tokens in the entry."#,
    see: &["L0012", "E0607", "entry", "ptr", "parameter attributes"],
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

/// A parameter that is a tile of a rank other than 0.
#[derive(Debug)]
pub(crate) struct ParameterRank<'t> {
    pub(crate) place: Range<u32>,
    pub(crate) name: &'t str,
    pub(crate) ty: Type,
}

impl ParameterRank<'_> {
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let message = format!("the parameter `{}` must be a tile of rank 0, found `{}`", self.name, self.ty);
        Diagnostic::new(&PAGE, self.place.clone(), message)
            .note("pass a pointer, `tile<ptr<f32>>`, and load the tile through it")
    }
}

/// A parameter attribute without a dialect prefix.
pub(crate) fn parameter_attribute(range: Range<u32>, op: &str, name: &str) -> Diagnostic {
    let message = format!("the attribute `{name}` of a parameter of `{op}` needs a dialect prefix");
    let start = range.start..range.start;
    Diagnostic::new(&PAGE, range, message).fix(format!("write `{DIALECT_PREFIX}{name}`"), start, DIALECT_PREFIX)
}
