//! E0004: keyword not allowed.

use super::words::keywords;
use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::foreign;
use crate::suggest::closest;
use std::ops::Range;
use tile_dialect::{AttrKind, EnumRow, Mnemonic, PTR_ATTR};

/// The page of E0004.
pub(super) static PAGE: Page = Page {
    code: "E0004",
    name: "keyword-not-allowed",
    severity: Severity::Error,
    text: r#"A keyword, such as a signedness, a rounding mode or a memory ordering, is misspelled or is not one
that this op takes. Each op has its own set of valid keywords."#,
    fix: r#"Choose one of the keywords that the message lists. `tile doc KEYWORD` explains a keyword."#,
    see: &["E0514", "rounding", "signedness", "memory ordering"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: 7> : tile<i32>
    %b = maxi %a, %a sgined : tile<i32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: 7> : tile<i32>
    %b = maxi %a, %a signed : tile<i32>
  }
}
"#,
};

/// A word that is not a keyword of an attribute.
pub(crate) fn bad_keyword(range: Range<u32>, op: Mnemonic, attr: u8, word: &str) -> Diagnostic {
    match op.row().attrs[attr as usize].kind {
        AttrKind::Enum { of, only, .. } => keyword_not_allowed(range, of, only, word),
        _ => Diagnostic::new(&PAGE, range, format!("`{word}` is not allowed here")),
    }
}

/// A keyword that the enum does not have, or that this op does not take.
pub(crate) fn keyword_not_allowed(range: Range<u32>, of: &EnumRow, only: &[u8], word: &str) -> Diagnostic {
    let expected = keywords(of, only);
    let message = format!("`{word}` is not a valid {} for this op; expected {expected}", of.title);
    closest_keyword(range, of, only, word, message)
}

/// An unknown pointer attribute.
pub(crate) fn unknown_pointer_attr(range: Range<u32>, word: &str) -> Diagnostic {
    let expected = keywords(&PTR_ATTR, &[]);
    let message = format!("unknown pointer attribute `{word}`; expected {expected}");
    closest_keyword(range, &PTR_ATTR, &[], word, message)
}

/// A wrong keyword, with the closest valid one.
fn closest_keyword(range: Range<u32>, of: &EnumRow, only: &[u8], word: &str, message: String) -> Diagnostic {
    let diagnostic = Diagnostic::new(&PAGE, range.clone(), message);
    let allowed = of.values.iter().enumerate().filter(|(index, _)| only.is_empty() || only.contains(&(*index as u8)));
    let allowed: Vec<&str> = allowed.map(|(_, value)| value.name).collect();
    let foreign = foreign::keyword(word).find(|keyword| allowed.contains(keyword));
    match foreign.or_else(|| closest(word, allowed)) {
        Some(close) => {
            diagnostic.here(format!("did you mean `{close}`?")).fix(format!("write `{close}`"), range, close)
        }
        None => diagnostic,
    }
}

/// A word in place of a keyword of the op's form.
pub(crate) fn bad_word(range: Range<u32>, keyword: &str, word: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range.clone(), format!("expected `{keyword}`, found `{word}`")).fix(
        format!("write `{keyword}`"),
        range,
        keyword,
    )
}
