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
    text: r#"No value of this name is visible here. A value is visible from its definition to the end of the region that holds it,
so one that is defined further down is not visible yet, and one that is defined inside a loop or branch is not visible after it: pass it on with `continue`, `break` or `yield`."#,
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
    Diagnostic::new(&PAGE, range, format!("`%{name}` is a result of this op, which cannot use it"))
}

/// Turns the use of an undeclared name into a use before its definition.
pub(crate) fn used_too_early(found: &mut Diagnostic, name: &str, definition: Range<u32>) {
    let message = format!("`%{name}` is used before it is defined");
    *found = Diagnostic::new(&PAGE, found.range.clone(), message).label(definition, "defined here");
}

/// Turns the use of an undeclared name into a later definition that gives it another type. The place is the
/// definition, as in NVIDIA's checker: up to there the use could still be right.
pub(crate) fn defined_otherwise(found: &mut Diagnostic, name: &str, definition: Range<u32>, ty: Type, taken: Type) {
    let message = format!("`%{name}` is defined here as a `{ty}`, but used before, as a `{taken}`");
    *found = Diagnostic::new(&PAGE, definition, message).label(found.range.clone(), "used here");
}

/// Turns the use of an undeclared name into an argument of a later region.
pub(crate) fn defined_for_region(found: &mut Diagnostic, name: &str, definition: Range<u32>) {
    let message = format!("`%{name}` is an argument of this region, but used before it");
    *found = Diagnostic::new(&PAGE, definition, message).label(found.range.clone(), "used here");
}

/// The use of an undeclared name. `known` are the values that could be meant.
pub(crate) fn undeclared_value<'a>(
    range: Range<u32>,
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Diagnostic {
    let meant = match name.split_once('.') {
        Some((pack, rank)) if known.clone().any(|it| it == pack) && rank.parse::<u32>().is_ok() => {
            Some(format!("%{pack}#{rank}"))
        }
        _ => closest(name, known).map(|close| format!("%{close}")),
    };
    match meant {
        Some(meant) => {
            let message = format!("unknown value `%{name}`; did you mean `{meant}`?");
            Diagnostic::new(&PAGE, range.clone(), message).fix(format!("write `{meant}`"), range, meant)
        }
        None => Diagnostic::new(&PAGE, range, format!("unknown value `%{name}`")),
    }
}

/// The use of a value after the end of the region that defines it.
pub(crate) fn out_of_scope(range: Range<u32>, name: &str, definition: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`%{name}` is defined in a region that has ended"))
        .label(definition, "defined here")
        .note("pass it on at the end of the region, with `yield` in an `if`, `continue` in a `for` or `break` in a `loop`, and use the result of that op")
}
