//! E0402: constant shape.

use super::words::counted;
use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::{TileType, Type};
use std::ops::Range;
use tile_dialect::Element;

/// The page of E0402.
pub(super) static PAGE: Page = Page {
    code: "E0402",
    name: "constant-shape",
    severity: Severity::Error,
    text: r#"The value of a constant is one number for all elements, or nested lists with the shape of the tile.
The element type is written twice, before the numbers and in the type of the tile, and both must
agree."#,
    fix: r#"Write as many numbers in each list as the extent of the dimension, or a single number for the whole
tile. Use the same element type in both places."#,
    see: &["E0203", "E0401", "constant", "literal"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: [1, 2, 3]> : tile<4xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
  }
}
"#,
};

/// Lists whose shape differs from that of the tile.
pub(crate) fn constant_shape(range: Range<u32>, shape: &[i64], tile: &TileType, place: Range<u32>) -> Diagnostic {
    let shape = shape.iter().map(i64::to_string).collect::<Vec<_>>().join("x");
    Diagnostic::new(&PAGE, range, format!("the numbers have shape {shape}, but the constant has type `{tile}`"))
        .label(place, "the constant's type")
}

/// Numbers whose element type differs from that of the tile.
pub(crate) fn constant_element(range: Range<u32>, element: Element, tile: &TileType) -> Diagnostic {
    Diagnostic::new(
        &PAGE,
        range,
        format!("the element type of the numbers is `{element}`, but the constant has type `{tile}`"),
    )
}

/// Numbers whose stated type differs from that of the constant, in generic form.
pub(crate) fn constant_type(range: Range<u32>, stated: Type, ty: Type) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("the numbers have type `{stated}`, but the constant has type `{ty}`"))
}

/// Nested lists of unequal length.
pub(crate) fn ragged_constant(range: Range<u32>, why: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, why)
}

/// Constant data that does not consist of pairs of hexadecimal digits.
pub(crate) fn raw_digits(range: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, "expected pairs of hexadecimal digits")
}

/// Constant data whose length does not match the tile.
pub(crate) fn raw_length(range: Range<u32>, bytes: usize, elements: usize, needed: usize) -> Diagnostic {
    let (needed, found) = (counted(needed as i64, "byte"), counted(bytes as i64, "byte"));
    let elements = counted(elements as i64, "element");
    Diagnostic::new(&PAGE, range, format!("expected {needed} for {elements}, found {found}"))
}
