//! E0543: join count.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0543.
pub(super) static PAGE: Page = Page {
    code: "E0543",
    name: "join-count",
    severity: Severity::Error,
    text: r#"`join_tokens` has fewer than two operands. It combines tokens, and joining a single one has no
effect."#,
    fix: "Use the token itself, or add a second one.",
    see: &["join_tokens", "make_token", "token"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = make_token : token
    %b = join_tokens %a : token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = make_token : token
    %b = join_tokens %a, %a : token
  }
}
"#,
};

/// Too few tokens.
pub(crate) fn join_count(range: Range<u32>, count: usize) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`join_tokens` expects 2 tokens or more, found {count}"))
}
