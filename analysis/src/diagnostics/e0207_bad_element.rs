//! E0207: bad element.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::foreign;
use crate::suggest::closest;
use std::ops::Range;
use tile_dialect::ELEMENTS;

/// The page of E0207.
pub(super) static PAGE: Page = Page {
    code: "E0207",
    name: "bad-element",
    severity: Severity::Error,
    text: r#"This type cannot be an element here. Tiles hold numbers and pointers; pointers and tensor views
refer to numbers; constants are numbers. `i4` is only allowed as an element of tiles, and has no
constants."#,
    fix: "Use one of the types that the message lists, or convert with `exti`, `trunci` or `ftof`.",
    see: &["E0201", "E0515", "tile", "ptr", "i4"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i4: 1> : tile<2xi4>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i8: 1> : tile<2xi8>
  }
}
"#,
};

/// A type that cannot be the element type of this one.
pub(crate) fn bad_element(range: Range<u32>, holder: &str, found: &str) -> Diagnostic {
    if found.is_empty() || found.starts_with(|first: char| first.is_ascii_digit()) {
        let message = format!("expected the element type of {holder}, found `{found}`");
        return Diagnostic::new(&PAGE, range, message.trim_end_matches(", found ``"))
            .note("the element type comes first, as in `<f32: 1.0>`");
    }
    let close = foreign::element(found).or_else(|| closest(found, ELEMENTS.iter().map(|row| row.name)));
    match close.filter(|close| *close != found) {
        Some(close) => {
            let message = format!("`{found}` cannot be the element type of {holder}; did you mean `{close}`?");
            Diagnostic::new(&PAGE, range.clone(), message).fix(format!("write `{close}`"), range, close)
        }
        None => Diagnostic::new(&PAGE, range, format!("`{found}` cannot be the element type of {holder}")),
    }
}
