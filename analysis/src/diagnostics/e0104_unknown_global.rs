//! E0104: unknown global.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::suggest::closest;
use std::ops::Range;

/// The page of E0104.
pub(super) static PAGE: Page = Page {
    code: "E0104",
    name: "unknown-global",
    severity: Severity::Error,
    text: r#"`get_global` refers to a `global` by its name, and the module has none of this name. The global
must be in the same module as the entry that uses it."#,
    fix: r#"Correct the name, or define the global in the module: `global @lock <i32: 0> : tile<1xi32>`."#,
    see: &["E0106", "E0553", "global", "get_global"],
    wrong: r#"cuda_tile.module @m {
  global @lock <i32: 0> : tile<1xi32>
  entry @k() {
    %p = get_global @look : tile<ptr<i32>>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  global @lock <i32: 0> : tile<1xi32>
  entry @k() {
    %p = get_global @lock : tile<ptr<i32>>
  }
}
"#,
};

/// A symbol that is not the name of a global.
pub(crate) fn unknown_global<'a>(range: Range<u32>, name: &str, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    match closest(name, known) {
        Some(close) => {
            let message = format!("unknown global `@{name}`; did you mean `@{close}`?");
            Diagnostic::new(&PAGE, range.clone(), message).fix(format!("write `@{close}`"), range, format!("@{close}"))
        }
        None => Diagnostic::new(&PAGE, range, format!("unknown global `@{name}`")),
    }
}
