//! E0201: unknown type.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::suggest::{self, closest};
use std::ops::Range;
use tile_dialect::{DIALECT_PREFIX, ELEMENTS, TYPE_NAMES};

/// The page of E0201.
pub(super) static PAGE: Page = Page {
    code: "E0201",
    name: "unknown-type",
    severity: Severity::Error,
    text: r#"There is no type of this name. Element types are case-sensitive: `f8E4M3FN`, `bf16`, `i32`."#,
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xint32>
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

/// A word at the end of its line that is like no type. NVIDIA's checker reports it at the token behind, where a type is
/// still missing.
pub(crate) fn not_a_type(word: Range<u32>, name: &str, behind: Range<u32>) -> Diagnostic {
    let message = format!("a type is missing in front of this: `{name}` is none");
    Diagnostic::new(&PAGE, behind, message).label(word, "a type belongs here")
}

/// Whether a name is like that of a type.
pub(crate) fn resembles_a_type(name: &str) -> bool {
    like(name).is_some()
}

fn like(name: &str) -> Option<&'static str> {
    let known = ELEMENTS.iter().map(|row| row.name).chain(TYPE_NAMES);
    suggest::element_alias(name).or_else(|| closest(name, known))
}

/// A name that is no type.
pub(crate) fn unknown_type(range: Range<u32>, name: &str) -> Diagnostic {
    let message = format!("there is no type `{name}`");
    let diagnostic = Diagnostic::new(&PAGE, range.clone(), message);
    match like(name) {
        Some(close) => {
            diagnostic.here(format!("did you mean `{close}`?")).fix(format!("write `{close}`"), range, close)
        }
        None => diagnostic,
    }
}

/// A type of another dialect.
pub(crate) fn foreign_type(range: Range<u32>, name: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`!{name}` is no type of Tile IR"))
}

/// A type with the prefix of its dialect, but without the mark in front of that.
pub(crate) fn lost_mark(range: Range<u32>, name: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range.clone(), format!("there is no type `{name}`: with its prefix, it is `!{name}`")).fix(
        format!("write `!{name}`"),
        range,
        format!("!{name}"),
    )
}

/// A type without the prefix that it has in generic form and in aliases.
pub(crate) fn lost_prefix(range: Range<u32>, name: &str, where_: &str) -> Diagnostic {
    let full = format!("!{DIALECT_PREFIX}{name}");
    Diagnostic::new(&PAGE, range.clone(), format!("{where_}, this type is written `{full}`")).fix(
        format!("write `{full}`"),
        range,
        full,
    )
}
