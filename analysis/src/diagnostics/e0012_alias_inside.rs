//! E0012: alias inside.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0012.
pub(super) static PAGE: Page = Page {
    code: "E0012",
    name: "alias-inside",
    severity: Severity::Error,
    text: r#"An alias gives a type or an attribute a short name for the entire file. It can therefore only be
defined at the top level, not in a module or an entry."#,
    fix: r#"Move the definition to the top level of the file, before the module. Its uses stay as they are."#,
    see: &["E0105", "E0106", "alias"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    !t = !cuda_tile.tile<4xi32>
    %a = iota : !t
  }
}
"#,
    right: r#"!t = !cuda_tile.tile<4xi32>
cuda_tile.module @m {
  entry @k() {
    %a = iota : !t
  }
}
"#,
};

/// An alias that is not at the top level.
pub(crate) fn alias_inside(range: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, "an alias cannot be defined here")
        .note("define aliases at the top level of the file, before the module")
}
