//! E0006: nested too deeply.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0006.
pub(super) static PAGE: Page = Page {
    code: "E0006",
    name: "nested-too-deeply",
    severity: Severity::Error,
    text: r#"Regions are nested more than 128 deep, or types are nested too deeply. The limit keeps every tool
from running out of stack, and no real program comes close to it."#,
    fix: r#"Reduce the nesting, for example by combining the conditions of nested `if`s with `andi`."#,
    see: &["if", "loop", "andi"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {loop {}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    loop {
      break
    }
  }
}
"#,
};

/// Regions nested deeper than the limit.
pub(crate) fn nested_too_deeply(range: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, "regions are nested too deeply")
        .note(format!("regions can be nested at most {} deep", tile_syntax::MAX_DEPTH))
}

/// Types nested deeper than the limit.
pub(crate) fn type_too_deep(range: Range<u32>, most: usize) -> Diagnostic {
    Diagnostic::new(&PAGE, range, "types are nested too deeply")
        .note(format!("types can be nested at most {most} deep"))
}
