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
    text: r#"The padding value does not fit the view. The padding values are `zero`, `neg_zero`, `nan`, `pos_inf`
and `neg_inf`, and all of them except `zero` require a floating-point element type."#,
    fix: r#"Use `zero`, or convert the tensor to floats. For another value, select it with a mask after the
load."#,
    see: &["E0202", "padding_value", "select"],
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

/// A word that is not a padding value.
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

/// A padding value that integers lack.
pub(crate) fn padding_needs_float(range: Range<u32>, word: &str, element: Element) -> Diagnostic {
    Diagnostic::new(
        &PAGE,
        range.clone(),
        format!("`{word}` is a floating-point value, but the elements are `{element}`"),
    )
    .fix("write `zero`", range, "zero")
}
