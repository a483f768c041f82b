//! E0002: unknown op.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::suggest::closest;
use std::ops::Range;
use tile_dialect::{DIALECT_PREFIX, ops};

/// The page of E0002.
pub(super) static PAGE: Page = Page {
    code: "E0002",
    name: "unknown-op",
    severity: Severity::Error,
    text: r#"The language has no op of this name. Names are case-sensitive. The op's results have an unknown type, so nothing else is
reported about them."#,
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = itoa : tile<4xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
  }
}
"#,
};

/// A name that the table lacks.
pub(crate) fn unknown_op(range: Range<u32>, name: &str) -> Diagnostic {
    let short = name.strip_prefix(DIALECT_PREFIX).unwrap_or(name);
    let diagnostic = Diagnostic::new(&PAGE, range.clone(), format!("there is no op `{name}`"));
    let names = ops().iter().map(|row| row.name).filter(|name| !name.contains('$'));
    match closest(short, names) {
        Some(close) => {
            diagnostic.here(format!("did you mean `{close}`?")).fix(format!("write `{close}`"), range, close)
        }
        None => diagnostic,
    }
}
