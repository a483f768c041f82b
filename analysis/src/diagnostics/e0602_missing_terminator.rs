//! E0602: missing terminator.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;

/// The page of E0602.
pub(super) static PAGE: Page = Page {
    code: "E0602",
    name: "missing-terminator",
    severity: Severity::Error,
    text: r#"A region that hands values on must say which: a `for` or `loop` with carried values ends in `continue` or `break`, a branch with
results and the function of a `reduce` or `scan` in `yield`."#,
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 1> : tile<i32>
    %a = for %k in (%i to %i, step %i) : tile<i32> iter_values(%s = %i) -> (tile<i32>) {
    }
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 1> : tile<i32>
    %a = for %k in (%i to %i, step %i) : tile<i32> iter_values(%s = %i) -> (tile<i32>) {
      continue %s : tile<i32>
    }
  }
}
"#,
};

/// A region that ends without the values it must hand on.
pub(crate) fn missing_terminator(
    range: Range<u32>,
    op: &str,
    terminator: &str,
    types: &[Type],
    brace: Range<u32>,
) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("the region of `{op}` must end in `{terminator}` with {}", list(types)))
        .label(brace, format!("`{terminator}` is missing here"))
}

/// A terminator whose operands are not what the op around it hands on.
pub(crate) fn terminator_types(
    range: Range<u32>,
    terminator: &str,
    op: &str,
    expected: &[Type],
    found: &[Type],
) -> Diagnostic {
    let message = format!("`{terminator}` must hand {} to the `{op}` around it, not {}", list(expected), list(found));
    Diagnostic::new(&PAGE, range, message)
}

/// A terminator outside the ops that it can end.
pub(crate) fn terminator_place(range: Range<u32>, terminator: &str, around: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{terminator}` stands in {around}, with nothing but `if` between"))
}

/// A region that yields something else than its op needs.
pub(crate) fn yielded_types(
    range: Range<u32>,
    op: &str,
    expected: &[Type],
    found: &[Type],
    place: Range<u32>,
) -> Diagnostic {
    let message = format!("a region of this `{op}` must yield {}, but yields {}", list(expected), list(found));
    Diagnostic::new(&PAGE, range, message).label(place, format!("yields {}", list(found)))
}

/// Types in words.
fn list(types: &[Type]) -> String {
    match types {
        [] => "nothing".to_string(),
        types => types.iter().map(|ty| format!("`{ty}`")).collect::<Vec<_>>().join(", "),
    }
}
