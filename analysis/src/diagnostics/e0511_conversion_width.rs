//! E0511: conversion width.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;
use tile_dialect::Element;

/// The page of E0511.
pub(super) static PAGE: Page = Page {
    code: "E0511",
    name: "conversion-width",
    severity: Severity::Error,
    text: r#"A conversion does not change the width in the way its name says. `exti` makes integers wider,
`trunci` makes them narrower, and `bitcast` keeps the width."#,
    fix: "Use the op for this direction, or remove the conversion if both types are the same.",
    see: &["E0512", "E0507", "exti", "trunci", "bitcast"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %b = exti %a signed : tile<4xi32> -> tile<4xi16>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %b = exti %a signed : tile<4xi32> -> tile<4xi64>
  }
}
"#,
};

/// `exti` to a narrower or `trunci` to a wider type.
pub(crate) fn integer_width(range: Range<u32>, extends: bool, from: Element, to: Element) -> Diagnostic {
    let (op, what) = if extends { ("exti", "wider") } else { ("trunci", "narrower") };
    Diagnostic::new(&PAGE, range, format!("`{op}` makes integers {what}, but `{to}` is not {what} than `{from}`"))
}

/// `bitcast` to another width.
pub(crate) fn bitcast_width(range: Range<u32>, from: Element, to: Element) -> Diagnostic {
    let message = format!("`bitcast` keeps the width: `{from}` has {} bits, but `{to}` has {}", from.bits(), to.bits());
    Diagnostic::new(&PAGE, range, message)
}
