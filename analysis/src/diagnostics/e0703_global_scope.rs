//! E0703: global scope.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0703.
pub(super) static PAGE: Page = Page {
    code: "E0703",
    name: "global-scope",
    severity: Severity::Error,
    text: r#"The location of a global has a scope. A global does not belong to any function, so its location only
has a file, a line and a column."#,
    fix: "Remove the scope from the location.",
    see: &["E0701", "location", "global"],
    wrong: r#"#file = #cuda_tile.di_file<"k.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#k = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit, scopeLine = 1>
cuda_tile.module @m {
  global @g <i32: 1> : tile<1xi32> loc(#cuda_tile.di_loc<loc("k.py":1:1) in #k>)
}
"#,
    right: r#"cuda_tile.module @m {
  global @g <i32: 1> : tile<1xi32> loc("k.py":1:1)
}
"#,
};

/// A global with a scope.
pub(crate) fn global_scope(range: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, "the location of a global has no scope")
}
