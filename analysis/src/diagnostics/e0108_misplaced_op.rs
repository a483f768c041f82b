//! E0108: misplaced op.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0108.
pub(super) static PAGE: Page = Page {
    code: "E0108",
    name: "misplaced-op",
    severity: Severity::Error,
    text: r#"A file contains a `cuda_tile.module`, a module contains entries and globals, and all other ops
belong in an entry. The prefix of `cuda_tile.module` is required: outside it, names belong to MLIR,
where `module` is another op."#,
    fix: r#"Write `cuda_tile.module` with its prefix, and move other ops into an entry. If the op seems to be in
the right place, look for an extra `}` before it."#,
    see: &["L0007", "E0005", "module", "entry", "cuda_tile"],
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

/// An op that is not allowed at the top level or directly in a module.
pub(crate) fn misplaced_op(range: Range<u32>, name: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{name}` is not allowed here"))
        .note("ops belong in an entry; a module contains only entries and globals")
}

/// An entry or a global outside a module, in a file that has a module or seems to have lost its header.
pub(crate) fn outside_module(range: Range<u32>, name: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{name}` is outside a module")).note(
        "entries and globals belong in `cuda_tile.module @name { … }`: look for an extra `}` or a missing first line",
    )
}

/// `module @m {` without the prefix.
pub(crate) fn module_prefix(range: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range.clone(), "expected `cuda_tile.module`, found `module`")
        .note("`module` without the prefix is MLIR's own op, which cannot contain entries")
        .fix("write `cuda_tile.module`", range, "cuda_tile.module")
}
