//! E0008: bad character.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0008.
pub(super) static PAGE: Page = Page {
    code: "E0008",
    name: "bad-character",
    severity: Severity::Error,
    text: r#"A character that no token starts with. Identifiers are made of ASCII letters, digits, `_`, `$` and `.`; other characters
may stand in comments and strings only."#,
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

/// A character outside the language. One that cannot be seen is told by its number.
pub(crate) fn bad_character(range: Range<u32>, text: &str) -> Diagnostic {
    let seen = match text.chars().next() {
        Some(hidden) if hidden.is_control() => format!("the character U+{:04X}", u32::from(hidden)),
        _ => format!("`{text}`"),
    };
    Diagnostic::new(&PAGE, range, format!("{seen} is no part of the language"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_told_by_its_number() {
        assert_eq!(bad_character(0..1, "\u{b}").message, "the character U+000B is no part of the language");
        assert_eq!(bad_character(0..1, ";").message, "`;` is no part of the language");
    }
}
