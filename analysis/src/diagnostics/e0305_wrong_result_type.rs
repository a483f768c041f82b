//! E0305: wrong result type.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::{TileType, Type};
use std::ops::Range;

/// The page of E0305.
pub(super) static PAGE: Page = Page {
    code: "E0305",
    name: "wrong-result-type",
    severity: Severity::Error,
    text: r#"The type of this result follows from the operands and attributes of the op, but the program states
another one. For example, permuting a 4x8 tile with `[1, 0]` returns an 8x4 tile."#,
    fix: r#"Write the type that the message names, or change the operands so that the stated type follows from
them."#,
    see: &["E0301", "E0303", "permute", "cat", "reduce"],
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

/// A result type other than the one that follows from the operands and attributes.
pub(crate) fn wrong_result_type(range: Range<u32>, op: &str, expected: Type, stated: Type) -> Diagnostic {
    let fix = (!range.is_empty()).then(|| range.clone());
    let diagnostic =
        Diagnostic::new(&PAGE, range, format!("the result of this `{op}` must be `{expected}`, found `{stated}`"));
    match fix {
        Some(range) => diagnostic.fix(format!("write `{expected}`"), range, expected.to_string()),
        None => diagnostic,
    }
}

/// A result shape other than the one that follows from the operands and attributes.
pub(crate) fn wrong_result_shape(range: Range<u32>, op: &str, expected: &[i64], stated: &TileType) -> Diagnostic {
    wrong_result_type(range, op, Type::tile_of(expected, stated.element), Type::tile_of(&stated.shape, stated.element))
}
