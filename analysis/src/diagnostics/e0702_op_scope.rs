//! E0702: op scope.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0702.
pub(super) static PAGE: Page = Page {
    code: "E0702",
    name: "op-scope",
    severity: Severity::Error,
    text: r#"If the location of an op has a scope, the location of its entry must have one, too, and both must be
in the same subprogram. Inlined code is located with `callsite`: only the place of the call has to
be in the subprogram of the entry."#,
    fix: r#"Give the entry a location in the subprogram of its ops. For inlined code, write
`callsite(CALLEE at CALLER)`, with a caller in the subprogram of the entry."#,
    see: &["E0701", "E0703", "location"],
    wrong: r#"#file = #cuda_tile.di_file<"k.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#k = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit, scopeLine = 1>
cuda_tile.module @m {
  entry @k() {
    return loc(#cuda_tile.di_loc<loc("k.py":2:3) in #k>)
  }
}
"#,
    right: r#"#file = #cuda_tile.di_file<"k.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#k = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit, scopeLine = 1>
cuda_tile.module @m {
  entry @k() {
    return loc(#cuda_tile.di_loc<loc("k.py":2:3) in #k>)
  } loc(#cuda_tile.di_loc<loc("k.py":1:1) in #k>)
}
"#,
};

/// An op whose subprogram is not that of its entry; `ours` is `None` if the entry has no scope.
pub(crate) fn op_scope(range: Range<u32>, theirs: &str, ours: Option<&str>, entry: Range<u32>) -> Diagnostic {
    let message = match ours {
        Some(ours) if ours != theirs => {
            format!("this op is in the subprogram \"{theirs}\", but its entry is in \"{ours}\"")
        }
        Some(ours) => format!("this op and its entry are in different subprograms named \"{ours}\""),
        None => format!("this op is in the subprogram \"{theirs}\", but its entry has no scope"),
    };
    Diagnostic::new(&PAGE, range, message).label(entry, "the entry")
}
