//! E0701: entry scope.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0701.
pub(super) static PAGE: Page = Page {
    code: "E0701",
    name: "entry-scope",
    severity: Severity::Error,
    text: r#"The location of an entry does not describe it. It must be a location whose scope is the
`di_subprogram` of the entry, not a call site, and the `linkageName` of the subprogram is the
entry's name. Debuggers rely on it to map instructions to source lines."#,
    fix: r#"Use a location in a `di_subprogram` with the name of the entry as its `linkageName`, or remove the
location."#,
    see: &["E0702", "E0703", "location"],
    wrong: r#"#file = #cuda_tile.di_file<"k.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#k = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "other", compileUnit = #unit, scopeLine = 1>
cuda_tile.module @m {
  entry @k() {
  } loc(#cuda_tile.di_loc<loc("k.py":1:1) in #k>)
}
"#,
    right: r#"#file = #cuda_tile.di_file<"k.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#k = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit, scopeLine = 1>
cuda_tile.module @m {
  entry @k() {
  } loc(#cuda_tile.di_loc<loc("k.py":1:1) in #k>)
}
"#,
};

/// An entry that is said to be inlined.
pub(crate) fn entry_call_site(range: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, "the location of an entry cannot be a call site, because the host calls it")
}

/// An entry in another scope than a subprogram.
pub(crate) fn entry_scope(range: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, "the location of an entry has a `di_subprogram` as its scope, not a block in one")
}

/// A subprogram that is linked by another name than its entry.
pub(crate) fn entry_linkage_name(range: Range<u32>, entry: &str, linkage_name: &str) -> Diagnostic {
    Diagnostic::new(
        &PAGE,
        range,
        format!("the entry is `@{entry}`, but the subprogram it is located in has the linkage name \"{linkage_name}\""),
    )
}
