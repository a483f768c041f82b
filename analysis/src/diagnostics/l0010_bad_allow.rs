//! L0010: bad `allow` comment.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of L0010.
pub(super) static PAGE: Page = Page {
    code: "L0010",
    name: "bad-allow",
    severity: Severity::Warning,
    text: r#"A comment `// tile: allow(L0004) reason` marks a lint as known and accepted. After a statement it
applies to that line; on its own line it applies to the statement below and its regions.

The comment must name lints (`L`) or performance hints (`P`) that are reported there: an outdated
comment would hide the next mistake. Errors cannot be allowed."#,
    fix: r#"Remove the comment, or correct the code or name in it. Separate several lints with commas. To set
the level of a lint for a whole project, use `[lints]` in `tile.toml`."#,
    see: &["allow", "comment"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    // tile: allow(old-spelling) part of a recorded dump
    print_tko "hello" -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    // tile: allow(old-spelling) part of a recorded dump
    print "hello"
  }
}
"#,
};

/// A lint that is not reported where the comment allows it. `comment` is the range of the comment if it names no other
/// lint.
pub(crate) fn unused_allowance(code: Range<u32>, lint: &str, comment: Option<Range<u32>>) -> Diagnostic {
    let found = Diagnostic::new(&PAGE, code, format!("unused `allow({lint})`: the lint is not reported here"));
    match comment {
        Some(comment) => found.safe_fix("remove this comment", comment, ""),
        None => found,
    }
}

/// A name or code that is not a lint.
pub(crate) fn unknown_lint(code: Range<u32>, lint: &str, close: Option<&str>) -> Diagnostic {
    let found = Diagnostic::new(&PAGE, code.clone(), format!("unknown lint `{lint}`"));
    match close {
        Some(close) => found.here(format!("did you mean `{close}`?")).fix(format!("write `{close}`"), code, close),
        None => found.note("run `tile explain` to list all codes"),
    }
}

/// An error in place of a lint.
pub(crate) fn allowed_error(code: Range<u32>, lint: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, code, format!("`{lint}` cannot be allowed: it is a rule of the language, not a lint"))
}

/// A `tile:` comment that cannot be parsed.
pub(crate) fn unreadable_allowance(comment: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, comment, "unrecognized `tile:` comment")
        .note("write `// tile: allow(L0004) reason`, with the codes or names of lints between the parentheses")
}
