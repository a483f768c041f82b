//! E0305: wrong result type.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::{TileType, Type};
use std::ops::Range;

/// The page of E0305.
pub(super) static PAGE: Page = Page {
    code: "E0305",
    name: "wrong-result-type",
    severity: Severity::Error,
    text: r#"The type of a result follows from the operands and attributes of the op, and a different one is
written. The type is written for readers and for simple parsers; it cannot request a conversion."#,
    fix: r#"Write the type that the message expects; the quick fix does so. To obtain another type, add a
conversion."#,
    see: &["E0301", "E0303"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <f32: 1.0> : tile<4x8xf32>
    %b = permute %a [1, 0] : tile<4x8xf32> -> tile<4x8xf32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <f32: 1.0> : tile<4x8xf32>
    %b = permute %a [1, 0] : tile<4x8xf32> -> tile<8x4xf32>
  }
}
"#,
};

/// A type that is not the one that follows.
pub(crate) fn wrong_result_type(range: Range<u32>, op: &str, expected: Type, stated: Type) -> Diagnostic {
    let fix = (!range.is_empty()).then(|| range.clone());
    let diagnostic = Diagnostic::new(&PAGE, range, format!("this `{op}` gives a `{expected}`, not a `{stated}`"));
    match fix {
        Some(range) => diagnostic.fix(format!("write `{expected}`"), range, expected.to_string()),
        None => diagnostic,
    }
}

/// A shape that is not the one that follows.
pub(crate) fn wrong_result_shape(range: Range<u32>, op: &str, expected: &[i64], stated: &TileType) -> Diagnostic {
    wrong_result_type(range, op, Type::tile_of(expected, stated.element), Type::tile_of(&stated.shape, stated.element))
}
