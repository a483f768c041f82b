//! E0101: undeclared value.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::suggest::closest;
use crate::types::Type;
use std::ops::Range;

/// The page of E0101.
pub(super) static PAGE: Page = Page {
    code: "E0101",
    name: "undeclared-value",
    severity: Severity::Error,
    text: r#"No value of this name can be seen here. A value can be seen from its definition to the end of the region that holds it,
so one that is defined further down is not known yet, and one that is defined inside a loop or branch is not known behind it: hand it on with `continue`, `break` or `yield`."#,
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %b = addi %a, %aa : tile<4xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %b = addi %a, %a : tile<4xi32>
  }
}
"#,
};

/// An op that uses its own result.
pub(crate) fn own_result(range: Range<u32>, name: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`%{name}` is what this op defines: it cannot use it"))
}

/// Turns the use of a name that nothing defines into one that stands before its definition.
pub(crate) fn used_too_early(found: &mut Diagnostic, name: &str, definition: Range<u32>) {
    let message = format!("`%{name}` is used before it is defined");
    *found = Diagnostic::new(&PAGE, found.range.clone(), message).label(definition, "it is defined here".to_string());
}

/// Turns the use of a name that nothing defines into a definition behind it that gives it another type. The place is the
/// definition, as in NVIDIA's checker: up to there the use could still be right.
pub(crate) fn defined_otherwise(found: &mut Diagnostic, name: &str, definition: Range<u32>, ty: Type, taken: Type) {
    let message = format!("`%{name}` is defined here as a `{ty}`, but used before, and as a `{taken}`");
    *found = Diagnostic::new(&PAGE, definition, message).label(found.range.clone(), "it is used here");
}

/// Turns the use of a name that nothing defines into an argument of a region behind it.
pub(crate) fn defined_for_region(found: &mut Diagnostic, name: &str, definition: Range<u32>) {
    let message = format!("`%{name}` stands for a value of this region, but is used before it");
    *found = Diagnostic::new(&PAGE, definition, message).label(found.range.clone(), "it is used here");
}

/// The use of a name that nothing defines.
pub(crate) fn undeclared_value<'a>(range: Range<u32>, name: &str, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    let diagnostic = Diagnostic::new(&PAGE, range.clone(), format!("no value `%{name}` can be seen here"));
    match closest(name, known) {
        Some(close) => diagnostic.here(format!("did you mean `%{close}`?")).fix(
            format!("write `%{close}`"),
            range,
            format!("%{close}"),
        ),
        None => diagnostic,
    }
}
