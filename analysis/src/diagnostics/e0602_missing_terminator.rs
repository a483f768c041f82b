//! E0602: missing terminator.

use super::e0801_newer_than_target::newer;
use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;
use tile_dialect::Version;

/// The page of E0602.
pub(super) static PAGE: Page = Page {
    code: "E0602",
    name: "missing-terminator",
    severity: Severity::Error,
    text: r#"A region that passes values on must end with the terminator that names them: `continue` in a `for`,
`continue` or `break` in a `loop`, and `yield` in an `if`, a `reduce` or a `scan`. Each terminator
belongs to certain ops, and only `if` can come between `break` or `continue` and their loop."#,
    fix: r#"End the region with the terminator that the message names, with one operand for each value. A `for`
has no early exit: use a `loop` to leave with `break`."#,
    see: &["E0601", "E0604", "continue", "break", "yield"],
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

/// A region without the terminator that passes its values on.
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

/// A terminator whose operand types are not those that the enclosing op expects.
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
        ("return", "entry") => diagnostic.note("an entry has no results: store them through a pointer"),
        _ => diagnostic,
    }
}

/// A terminator in the wrong region.
#[derive(Debug)]
pub(crate) struct MisplacedTerminator {
    pub(crate) place: Range<u32>,
    pub(crate) terminator: &'static str,
    /// The ops that it can end, such as "`for` or `loop`".
    pub(crate) home: &'static str,
    /// The op whose region it seems to end.
    pub(crate) around: &'static str,
    pub(crate) has_operands: bool,
    /// The version checked against, if a newer one allows the terminator here.
    pub(crate) too_old: Option<Version>,
}

impl MisplacedTerminator {
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let MisplacedTerminator { terminator, home, around, .. } = self;
        let place = self.place.clone();
        if let Some(version) = self.too_old {
            return newer(place, &format!("`{terminator}` inside a `loop`"), Version::V13_4, version);
        }
        let message = match *around {
            "entry" | "testing$func" => format!("`{terminator}` is only allowed in {home}"),
            _ => format!("`{terminator}` cannot end the region of `{around}`"),
        };
        let found = Diagnostic::new(&PAGE, place.clone(), message);
        match (meant(terminator, around), *around) {
            (Some(other), _) if self.has_operands || *terminator == "yield" => found
                .note(format!("the region of `{around}` must end with `{other}`"))
                .fix(format!("write `{other}`"), place, other),
            (Some(other), _) => found.note(format!("the region of `{around}` must end with `{other}` and its values")),
            (None, "for") => {
                found.note("a `for` has no early exit: use a `loop`, or put the rest of the region in an `if`")
            }
            (None, _) => found.note(format!("only `if` can come between `{terminator}` and {home}")),
        }
    }
}

/// The terminator to write instead, with the same operands.
fn meant(terminator: &str, around: &str) -> Option<&'static str> {
    match (terminator, around) {
        ("yield", "for" | "loop") => Some("continue"),
        ("return" | "continue" | "break", "reduce" | "scan") => Some("yield"),
        _ => None,
    }
}

/// A region that yields types other than its op expects.
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

/// Describes values of the types.
fn values(types: &[Type]) -> String {
    match types {
        [] => "nothing".to_string(),
        [_] => format!("a value of type {}", list(types)),
        _ => format!("values of types {}", list(types)),
    }
}

/// Lists types.
fn list(types: &[Type]) -> String {
    match types {
        [] => "nothing".to_string(),
        types => types.iter().map(|ty| format!("`{ty}`")).collect::<Vec<_>>().join(", "),
    }
}
