//! E0602: missing terminator.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;

/// The page of E0602.
pub(super) static PAGE: Page = Page {
    code: "E0602",
    name: "missing-terminator",
    severity: Severity::Error,
    text: r#"A region that has to pass on values does not end with the op that does so. A `for` or `loop` with
carried values ends with `continue` or `break`, and a branch with results or the function of a
`reduce` or `scan` with `yield`."#,
    fix: "Add the terminator with the values to pass on.",
    see: &["E0601", "E0603", "yield", "continue"],
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

/// A region that ends without the values it must pass on.
pub(crate) fn missing_terminator(
    range: Range<u32>,
    op: &str,
    terminator: &str,
    types: &[Type],
    brace: Range<u32>,
) -> Diagnostic {
    let message = format!("the region of `{op}` must end with `{terminator}` and {}", values(types));
    Diagnostic::new(&PAGE, range, message).label(brace, format!("`{terminator}` is missing here"))
}

/// A terminator whose operands are not what the op around it takes.
pub(crate) fn terminator_types(
    range: Range<u32>,
    terminator: &str,
    op: &str,
    expected: &[Type],
    found: &[Type],
) -> Diagnostic {
    let message = format!("this `{terminator}` must pass {} to `{op}`, found {}", values(expected), list(found));
    let diagnostic = Diagnostic::new(&PAGE, range, message);
    match (terminator, op) {
        ("return", "entry") => diagnostic.note("an entry returns nothing: store results through a pointer"),
        _ => diagnostic,
    }
}

/// A terminator outside the ops that it can end. `home` is what it ends, and `around` the op whose region holds it.
pub(crate) fn terminator_place(
    range: Range<u32>,
    terminator: &str,
    home: &str,
    around: &str,
    has_operands: bool,
) -> Diagnostic {
    let message = match around {
        "entry" | "testing$func" => format!("`{terminator}` is only allowed in {home}"),
        _ => format!("`{terminator}` cannot end the region of `{around}`"),
    };
    let diagnostic = Diagnostic::new(&PAGE, range.clone(), message);
    match (meant(terminator, around), around) {
        (Some(other), _) if has_operands || terminator == "yield" => diagnostic
            .note(format!("the region of `{around}` ends with `{other}`"))
            .fix(format!("write `{other}`"), range, other),
        (Some(other), _) => diagnostic.note(format!("the region of `{around}` ends with `{other}` and its values")),
        (None, "for") => diagnostic.note("a `for` cannot be left early: use a `loop`, or `if` in its region"),
        (None, _) => diagnostic.note(format!("nothing but `if` may be between `{terminator}` and {home}")),
    }
}

/// The terminator of an op that takes the same operands as the wrong one.
fn meant(terminator: &str, around: &str) -> Option<&'static str> {
    match (terminator, around) {
        ("yield", "for" | "loop") => Some("continue"),
        ("return" | "continue" | "break", "reduce" | "scan") => Some("yield"),
        _ => None,
    }
}

/// A region that yields something else than its op needs.
pub(crate) fn yielded_types(
    range: Range<u32>,
    op: &str,
    expected: &[Type],
    found: &[Type],
    place: Range<u32>,
) -> Diagnostic {
    let message = format!("each region of this `{op}` must yield {}, found {}", list(expected), list(found));
    Diagnostic::new(&PAGE, range, message).label(place, format!("yields {}", list(found)))
}

/// A value of each type, in words.
fn values(types: &[Type]) -> String {
    match types {
        [] => "nothing".to_string(),
        [_] => format!("a value of type {}", list(types)),
        _ => format!("values of types {}", list(types)),
    }
}

/// Types in words.
fn list(types: &[Type]) -> String {
    match types {
        [] => "nothing".to_string(),
        types => types.iter().map(|ty| format!("`{ty}`")).collect::<Vec<_>>().join(", "),
    }
}
