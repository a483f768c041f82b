//! E0006: nested too deeply.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0006.
pub(super) static PAGE: Page = Page {
    code: "E0006",
    name: "nested-too-deeply",
    severity: Severity::Error,
    text: r#"Regions are nested more than 128 levels deep. No real program needs that, and the limit protects
every tool that processes programs from running out of stack."#,
    fix: "Move inner loops and branches out, or combine nested conditions with `andi`.",
    see: &["E0005", "E0609"],
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

/// A region inside too many others.
pub(crate) fn nested_too_deeply(range: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, "regions are nested too deeply")
        .note(format!("regions can be nested at most {} levels deep", tile_syntax::MAX_DEPTH))
}

/// A type inside too many others.
pub(crate) fn type_too_deep(range: Range<u32>, most: usize) -> Diagnostic {
    Diagnostic::new(&PAGE, range, "types are nested too deeply")
        .note(format!("types can be nested at most {most} levels deep"))
}
