//! E0543: join count.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0543.
pub(super) static PAGE: Page = Page {
    code: "E0543",
    name: "join-count",
    severity: Severity::Error,
    text: r#"`join_tokens` has fewer than two operands. Its result is a token that follows all of them, so with
one operand it would have no effect."#,
    fix: r#"Use a single token directly. For a token that follows nothing, use `make_token`."#,
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

/// Fewer than two tokens.
pub(crate) fn join_count(range: Range<u32>, count: usize) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`join_tokens` expects at least 2 tokens, found {count}"))
}
