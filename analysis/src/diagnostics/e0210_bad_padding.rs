//! E0210: bad padding.

use super::words::keywords;
use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::foreign;
use crate::suggest::closest;
use std::ops::Range;
use tile_dialect::{Element, PADDING};

/// The page of E0210.
pub(super) static PAGE: Page = Page {
    code: "E0210",
    name: "bad-padding",
    severity: Severity::Error,
    text: r#"The padding value is what a load returns for elements beyond the edge of the tensor: `zero`,
`neg_zero`, `nan`, `pos_inf` or `neg_inf`. All of these except `zero` are floating-point numbers, so
they need a floating-point element type."#,
    fix: r#"Use `zero` for integers. If no op uses the elements beyond the edge, omit `padding_value`; they are
then unspecified. For any other value, replace these elements after the load with `select`."#,
    see: &["padding_value", "partition_view", "select"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %v = make_tensor_view %p, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xi32, strides=[8,1]>
    %w = make_partition_view %v : partition_view<tile=(4x4), padding_value = nan, tensor_view<8x8xi32, strides=[8,1]>>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %v = make_tensor_view %p, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xi32, strides=[8,1]>
    %w = make_partition_view %v : partition_view<tile=(4x4), padding_value = zero, tensor_view<8x8xi32, strides=[8,1]>>
  }
}
"#,
};

/// An unknown padding value.
pub(crate) fn bad_padding(range: Range<u32>, word: &str) -> Diagnostic {
    let message = format!("unknown padding value `{word}`; expected one of {}", keywords(&PADDING, &[]));
    let diagnostic = Diagnostic::new(&PAGE, range.clone(), message);
    let values = || PADDING.values.iter().map(|value| value.name);
    let foreign = foreign::keyword(word).find(|keyword| values().any(|value| value == *keyword));
    match foreign.or_else(|| closest(word, values())) {
        Some(close) => {
            diagnostic.here(format!("did you mean `{close}`?")).fix(format!("write `{close}`"), range, close)
        }
        None => diagnostic,
    }
}

/// A padding value that integers cannot have.
pub(crate) fn padding_needs_float(range: Range<u32>, word: &str, element: Element) -> Diagnostic {
    Diagnostic::new(
        &PAGE,
        range.clone(),
        format!("padding value `{word}` needs floating-point elements, found `{element}`"),
    )
    .fix("write `zero`", range, "zero")
}
