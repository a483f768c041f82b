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
    text: r#"Not every type can be an element type. Tiles contain numbers and pointers; pointers and tensor views
refer to numbers; constants consist of numbers. `i4` is a storage type that only tiles can have:
there are no pointers to it, no tensor views of it and no `i4` constants."#,
    fix: r#"Use another element type, such as `i8` instead of `i4`. Make a tile of `i4` from wider integers with
`trunci`, or from bytes with `unpack`. Instead of a pointer to pointers, load addresses as `i64` and
convert them with `int_to_ptr`."#,
    see: &["E0201", "i4", "ptr", "trunci", "int_to_ptr"],
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

/// A type that cannot be the element type of `holder`.
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
