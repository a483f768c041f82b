//! E0701: entry scope.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0701.
pub(super) static PAGE: Page = Page {
    code: "E0701",
    name: "entry-scope",
    severity: Severity::Error,
    text: r#"The location of an entry names the source function that it was compiled from. The scope of the
location must be a `di_subprogram` whose `linkageName` is the name of the entry. It cannot be a call
site, because only the host calls an entry."#,
    fix: r#"Give each entry its own `di_subprogram` with its name as `linkageName`, and use that as the scope of
its `di_loc`."#,
    see: &["E0702", "E0703", "entry", "location"],
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

/// An entry whose location is a call site.
pub(crate) fn entry_call_site(range: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, "the location of an entry cannot be a call site")
}

/// An entry whose scope is not a subprogram.
pub(crate) fn entry_scope(range: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, "the scope of an entry's location must be a `di_subprogram`")
}

/// A subprogram whose linkage name is not the name of its entry.
pub(crate) fn entry_linkage_name(range: Range<u32>, entry: &str, linkage_name: &str) -> Diagnostic {
    Diagnostic::new(
        &PAGE,
        range,
        format!("the entry is `@{entry}`, but the linkage name of its subprogram is \"{linkage_name}\""),
    )
}
