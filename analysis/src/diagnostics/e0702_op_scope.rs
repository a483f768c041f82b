//! E0702: op scope.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0702.
pub(super) static PAGE: Page = Page {
    code: "E0702",
    name: "op-scope",
    severity: Severity::Error,
    text: r#"The scope of an op's location does not belong to the entry that contains the op. If the location of
an op has a scope, that of the entry has one too, and both are in the same subprogram. Inlined code
has a `callsite` location, of which only the place of the call must be in the entry."#,
    fix: "Use a location in the subprogram of the entry, and `callsite(… at …)` for inlined code.",
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

/// An op in another subprogram than its entry, or an entry in none.
pub(crate) fn op_scope(range: Range<u32>, theirs: &str, ours: Option<&str>, entry: Range<u32>) -> Diagnostic {
    let message = match ours {
        Some(ours) if ours != theirs => {
            format!("this op is located in the subprogram \"{theirs}\", but its entry in \"{ours}\"")
        }
        Some(ours) => format!("this op and its entry are located in different subprograms of the name \"{ours}\""),
        None => format!("this op is located in the subprogram \"{theirs}\", but its entry in none"),
    };
    Diagnostic::new(&PAGE, range, message).label(entry, "the entry")
}
