//! L0010: a comment that allows nothing.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of L0010.
pub(super) static PAGE: Page = Page {
    code: "L0010",
    name: "allowance",
    severity: Severity::Warning,
    text: r#"A comment such as `// tile: allow(L0004) reason` is malformed or has no effect. It says that a lint
is known and intended. At the end of a line it applies to that line; on a separate line it applies
to the statement below, including its regions. It must name lints (`L`) or performance hints (`P`)
that are reported there: an outdated comment would hide the next mistake. Errors cannot be allowed."#,
    fix: r#"Remove the comment, or correct the codes in it, which are separated by commas. To change the level
of a lint for a whole project, use `tile.toml`."#,
    see: &["allow", "comment"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    // tile: allow(old-spelling) kept as the dump has it
    print_tko "hello" -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    // tile: allow(old-spelling) kept as the dump has it
    print "hello"
  }
}
"#,
};

/// The lint is not reported there. `comment` is the range of the comment, if it names only this one.
pub(crate) fn unused_allowance(code: Range<u32>, lint: &str, comment: Option<Range<u32>>) -> Diagnostic {
    let found = Diagnostic::new(&PAGE, code, format!("unused `allow({lint})`"));
    match comment {
        Some(comment) => found.safe_fix("remove it", comment, ""),
        None => found,
    }
}

/// There is no such lint.
pub(crate) fn unknown_lint(code: Range<u32>, lint: &str, close: Option<&str>) -> Diagnostic {
    let found = Diagnostic::new(&PAGE, code.clone(), format!("unknown lint `{lint}`"));
    match close {
        Some(close) => found.here(format!("did you mean `{close}`?")).fix(format!("write `{close}`"), code, close),
        None => found.note("`tile explain` lists all codes"),
    }
}

/// An error.
pub(crate) fn allowed_error(code: Range<u32>, lint: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, code, format!("`{lint}` cannot be allowed: it is a rule of the language, not a lint"))
}

/// A comment for this program that it cannot read.
pub(crate) fn unreadable_allowance(comment: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, comment, "expected `allow(…)` after `tile:`")
        .note("write `// tile: allow(L0004) reason`, with the codes or names of lints between the parentheses")
}
