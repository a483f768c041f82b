//! E0008: bad character.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::foreign;
use std::ops::Range;

/// The page of E0008.
pub(super) static PAGE: Page = Page {
    code: "E0008",
    name: "bad-character",
    severity: Severity::Error,
    text: r#"This character cannot start a token. Identifiers consist of ASCII letters, digits, `_`, `$` and `.`;
other characters are only allowed in comments and strings. Typographic quotes, dashes and invisible
characters are often pasted from documents."#,
    fix: "Remove the character or replace it by its ASCII equivalent.",
    see: &["E0007", "E0014", "comment"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32> ;
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

/// A character or sign outside the language. One that cannot be seen is shown by its number.
/// `rest` is what follows it on its line.
pub(crate) fn bad_character(range: Range<u32>, text: &str, rest: &str) -> Diagnostic {
    if let Some(comment) = text.strip_prefix("/*") {
        return block_comment(range, comment, rest);
    }
    let found = match text.chars().next() {
        Some(hidden) if hidden.is_control() || hidden.is_whitespace() => {
            format!("character U+{:04X}", u32::from(hidden))
        }
        _ => format!("`{text}`"),
    };
    let diagnostic = Diagnostic::new(&PAGE, range.clone(), format!("unexpected {found}"));
    let diagnostic = match foreign::replacement(text) {
        Some("") if !rest.trim().is_empty() => diagnostic,
        Some("") => diagnostic.fix("remove it", range, ""),
        Some(" ") => diagnostic.fix("write a space", range, " "),
        Some(sign) => diagnostic.fix(format!("write `{sign}`"), range, sign),
        None => diagnostic,
    };
    match foreign::sign(text) {
        Some(hint) => diagnostic.note(hint),
        None => diagnostic,
    }
}

/// A comment of C. `inner` is what follows its first mark, `rest` what follows it on its line.
fn block_comment(range: Range<u32>, inner: &str, rest: &str) -> Diagnostic {
    let diagnostic = Diagnostic::new(&PAGE, range.clone(), "block comments are not part of Tile IR")
        .note("a comment starts with `//` and ends with its line");
    match inner.strip_suffix("*/") {
        Some(inner) if rest.trim().is_empty() => {
            diagnostic.fix("write it with `//`", range, format!("// {}", inner.trim()))
        }
        _ => diagnostic,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_shown_by_its_number() {
        assert_eq!(bad_character(0..1, "\u{b}", "").message, "unexpected character U+000B");
        assert_eq!(bad_character(0..1, ";", "").message, "unexpected `;`");
    }
}
