//! E0523: scale shape.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::TileType;
use std::ops::Range;
use tile_dialect::Element;

/// The page of E0523.
pub(super) static PAGE: Page = Page {
    code: "E0523",
    name: "scale-shape",
    severity: Severity::Error,
    text: r#"The scales of `mmaf_scaled` have the wrong shape or type. There is one scale for each block of V
elements along K: `lhs_scale` is M x K/V and `rhs_scale` is K/V x N, with the same batch extent as
the matrices. V is 32 for 8-bit matrices, 16 or 32 for `f4E2M1FN` with `f8E8M0FNU` scales, and 16
with `f8E4M3FN` scales, which only `f4E2M1FN` accepts."#,
    fix: "Compute K/V for the element types, and give both scales that extent.",
    see: &["E0521", "E0522", "mmaf_scaled", "f8E8M0FNU"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <f8E5M2: 1.0> : tile<64x64xf8E5M2>
    %c = constant <f32: 0.0> : tile<64x64xf32>
    %s = constant <f8E8M0FNU: 1.0> : tile<64x4xf8E8M0FNU>
    %t = constant <f8E8M0FNU: 1.0> : tile<4x64xf8E8M0FNU>
    %d = mmaf_scaled %a, %a, %c, %s, %t : tile<64x64xf8E5M2>, tile<64x64xf8E5M2>, tile<64x64xf32>, tile<64x4xf8E8M0FNU>, tile<4x64xf8E8M0FNU>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <f8E5M2: 1.0> : tile<64x64xf8E5M2>
    %c = constant <f32: 0.0> : tile<64x64xf32>
    %s = constant <f8E8M0FNU: 1.0> : tile<64x2xf8E8M0FNU>
    %t = constant <f8E8M0FNU: 1.0> : tile<2x64xf8E8M0FNU>
    %d = mmaf_scaled %a, %a, %c, %s, %t : tile<64x64xf8E5M2>, tile<64x64xf8E5M2>, tile<64x64xf32>, tile<64x2xf8E8M0FNU>, tile<2x64xf8E8M0FNU>
  }
}
"#,
};

/// Extents of a matrix and its scales, or of the two scales, that must agree.
pub(crate) fn scale_extent(range: Range<u32>, what: &str, first: &TileType, second: &TileType) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("{what} must agree, but the types are `{first}` and `{second}`"))
}

/// A scale whose element does not go with the matrices'.
pub(crate) fn scale_element(range: Range<u32>, scale: Element, factor: Element) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{factor}` matrices have no `{scale}` scales"))
}

/// Blocks of a wrong length.
pub(crate) fn scale_block(range: Range<u32>, k: i64, blocks: i64, factor: Element, allowed: &[i64]) -> Diagnostic {
    let lengths = allowed.iter().map(i64::to_string).collect::<Vec<_>>().join(" or ");
    let message = match k % blocks {
        0 => format!("each scale stands for {} elements along K, but for `{factor}` it must be {lengths}", k / blocks),
        _ => format!("{blocks} scales do not divide the {k} elements along K"),
    };
    Diagnostic::new(&PAGE, range, message)
}
