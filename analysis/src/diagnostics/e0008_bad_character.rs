//! E0008: bad character.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::foreign;
use std::ops::Range;

/// The page of E0008.
pub(super) static PAGE: Page = Page {
    code: "E0008",
    name: "bad-character",
    severity: Severity::Error,
    text: r#"No token starts with this character. Names and keywords consist of ASCII letters, digits, `_`, `$`
and `.`; other characters are allowed only in comments and strings."#,
    fix: r#"Remove the character or write its Tile IR equivalent: statements do not end with `;`, and comments
start with `//`."#,
    see: &["E0009", "E0014", "comment"],
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

/// A character that is not part of the language. An invisible one is shown as its code point. `rest` is the rest of the
/// line.
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
        Some("") => diagnostic.fix(format!("remove {found}"), range, ""),
        Some(" ") => diagnostic.fix("replace it with a space", range, " "),
        Some(sign) => diagnostic.fix(format!("write `{sign}`"), range, sign),
        None => diagnostic,
    };
    match foreign::sign(text) {
        Some(hint) => diagnostic.note(hint),
        None => diagnostic,
    }
}

/// A C comment. `inner` is the text after `/*`, `rest` the rest of the line.
fn block_comment(range: Range<u32>, inner: &str, rest: &str) -> Diagnostic {
    let diagnostic = Diagnostic::new(&PAGE, range.clone(), "Tile IR has no block comments")
        .note("a comment starts with `//` and runs to the end of the line");
    match inner.strip_suffix("*/") {
        Some(inner) if rest.trim().is_empty() => {
            diagnostic.fix("write a `//` comment", range, format!("// {}", inner.trim()))
        }
        _ => diagnostic,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_shown_as_code_points() {
        assert_eq!(bad_character(0..1, "\u{b}", "").message, "unexpected character U+000B");
        assert_eq!(bad_character(0..1, ";", "").message, "unexpected `;`");
    }
}
