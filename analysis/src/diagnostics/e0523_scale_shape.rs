//! E0523: scale shape.

use super::words::alternatives;
use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::TileType;
use std::ops::Range;
use tile_dialect::Element;

/// The page of E0523.
pub(super) static PAGE: Page = Page {
    code: "E0523",
    name: "scale-shape",
    severity: Severity::Error,
    text: r#"`mmaf_scaled` multiplies each block of V elements along K by one scale. `lhs_scale` is M x K/V and
`rhs_scale` is K/V x N, with the same batch dimension as the matrices. The element types determine
V:

| matrices | scales | V |
|---|---|---|
| `f8E4M3FN`, `f8E5M2` | `f8E8M0FNU` | 32 |
| `f4E2M1FN` | `f8E8M0FNU`, `fnv8E5M3FNU` | 16 or 32 |
| `f4E2M1FN` | `f8E4M3FN` | 16 |"#,
    fix: r#"Choose a row of the table, and divide K by V to get the extent of the scales. For K = 64 and V = 32,
`lhs_scale` is M x 2 and `rhs_scale` is 2 x N."#,
    see: &["E0521", "mmaf_scaled", "f8E8M0FNU", "f4E2M1FN"],
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

/// A scale type that does not suit the matrices.
pub(crate) fn scale_element(range: Range<u32>, scale: Element, factor: Element) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{factor}` matrices cannot have `{scale}` scales"))
}

/// A wrong number of elements per scale.
pub(crate) fn scale_block(range: Range<u32>, k: i64, blocks: i64, factor: Element, allowed: &[i64]) -> Diagnostic {
    let lengths = alternatives(&allowed.iter().map(i64::to_string).collect::<Vec<_>>());
    let message = match k % blocks {
        0 => format!("each scale covers {} elements along K, but `{factor}` needs {lengths}", k / blocks),
        _ => format!("{k} elements along K cannot be divided among {blocks} scales"),
    };
    Diagnostic::new(&PAGE, range, message)
}
