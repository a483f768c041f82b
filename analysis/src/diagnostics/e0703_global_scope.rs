//! E0703: global scope.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0703.
pub(super) static PAGE: Page = Page {
    code: "E0703",
    name: "global-scope",
    severity: Severity::Error,
    text: r#"A scope is a function or a block in one. A global belongs to no function, so its location cannot
have a scope."#,
    fix: r#"Use a location without a scope, such as `loc("k.py":1:1)`, or no location."#,
    see: &["E0701", "global", "location"],
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

/// A global whose location has a scope.
pub(crate) fn global_scope(range: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, "the location of a global cannot have a scope")
}
