//! E0601: op after a terminator.

use crate::diagnostic::{Diagnostic, Page, Severity, Tag};
use std::ops::Range;

/// The page of E0601.
pub(super) static PAGE: Page = Page {
    code: "E0601",
    name: "op-after-terminator",
    severity: Severity::Error,
    text: r#"`return`, `yield`, `continue` and `break` end their block. No op can follow them, because it would
never run."#,
    fix: r#"Move the op before the terminator, or remove it. To leave a loop or an entry only under a condition,
put the terminator in an `if`."#,
    see: &["E0602", "return", "continue", "break", "if"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    return
    %a = iota : tile<4xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    return
  }
}
"#,
};

/// A terminator that is not the last op.
#[derive(Debug)]
pub(crate) struct EarlyTerminator {
    pub(crate) terminator: &'static str,
    pub(crate) place: Range<u32>,
    /// The results of the next op, if they could be read as operands of the terminator.
    pub(crate) next: Option<Range<u32>>,
}

impl EarlyTerminator {
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let EarlyTerminator { terminator, place, next } = self;
        let found = match next {
            Some(next) => {
                let message = format!("no op may follow `{terminator}`, which ends the block");
                Diagnostic::new(&PAGE, next.clone(), message).label(place.clone(), "the block ends here")
            }
            None => Diagnostic::new(&PAGE, place.clone(), format!("`{terminator}` must be the last op of its block")),
        };
        found.tagged(Tag::Unnecessary)
    }
}
