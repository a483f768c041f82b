//! E0511: conversion width.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;
use tile_dialect::Element;

/// The page of E0511.
pub(super) static PAGE: Page = Page {
    code: "E0511",
    name: "conversion-width",
    severity: Severity::Error,
    text: r#"`exti` makes integers wider, `trunci` makes them narrower, and `bitcast` keeps the element width.
Each of them requires types that fit its purpose."#,
    fix: r#"Use `exti` for a wider and `trunci` for a narrower integer type, and the operand itself if the types
are equal. To read bytes as elements of another width, use `pack` or `unpack`."#,
    see: &["E0512", "exti", "trunci", "bitcast", "pack"],
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
    let message = format!(
        "`bitcast` cannot change the element width: `{from}` has {} bits, but `{to}` has {}",
        from.bits(),
        to.bits()
    );
    Diagnostic::new(&PAGE, range, message)
}
