//! E0108: misplaced op.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0108.
pub(super) static PAGE: Page = Page {
    code: "E0108",
    name: "misplaced-op",
    severity: Severity::Error,
    text: r#"An op is in a place where it is not allowed. A file contains a `cuda_tile.module`, a module contains
entries and globals, and all other ops are inside an entry. The prefix of `cuda_tile.module` is
required, since a plain `module` is the one of MLIR."#,
    fix: "Move the op into an entry. If the header of the entry is missing, add it.",
    see: &["E0107", "L0007", "module", "entry"],
    wrong: r#"module @m {
  entry @k() {
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
  }
}
"#,
};

/// An op that is not allowed at the top level or in a module.
pub(crate) fn misplaced_op(range: Range<u32>, name: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{name}` is not allowed here"))
        .note("ops belong in an entry; a module holds entries and globals only")
}

/// An entry or a global outside any module, in a file that has one or once had one.
pub(crate) fn outside_module(range: Range<u32>, name: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{name}` is outside any module"))
        .note("a `cuda_tile.module @name { … }` holds all entries and globals: look for a brace too many, or for its first line")
}

/// `module @m {` without the prefix.
pub(crate) fn module_prefix(range: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range.clone(), "expected `cuda_tile.module`, found `module`")
        .note("a module without the prefix is MLIR's own, which cannot hold entries")
        .fix("write `cuda_tile.module`", range, "cuda_tile.module")
}
