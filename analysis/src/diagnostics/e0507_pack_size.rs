//! E0507: pack size.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::TileType;
use std::ops::Range;

/// The page of E0507.
pub(super) static PAGE: Page = Page {
    code: "E0507",
    name: "pack-size",
    severity: Severity::Error,
    text: r#"The tiles of `pack` or `unpack` do not fit together. These ops reinterpret the same bytes with
another element type: both tiles have rank 1 and take the same whole number of bytes, and their
elements differ in width."#,
    fix: r#"Choose the number of elements so that both tiles have the same size. For elements of equal width use
`bitcast`."#,
    see: &["E0511", "E0206", "pack", "bitcast"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <f16: 1.0> : tile<32xf16>
    %b = pack %a : tile<32xf16> -> tile<32xi8>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <f16: 1.0> : tile<32xf16>
    %b = pack %a : tile<32xf16> -> tile<64xi8>
  }
}
"#,
};

/// A tile of another rank than 1.
pub(crate) fn pack_rank(range: Range<u32>, op: &str, tile: &TileType) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{op}` takes tiles of rank 1, not a `{tile}`"))
}

/// Elements of one width.
pub(crate) fn pack_width(range: Range<u32>, op: &str, from: &TileType, to: &TileType) -> Diagnostic {
    let message = format!("`{op}` changes the width of elements, but those of `{from}` and `{to}` have the same");
    Diagnostic::new(&PAGE, range, message).note("`bitcast` reads elements as another type of the same width")
}

/// Tiles that do not take the same whole number of bytes.
pub(crate) fn pack_size(range: Range<u32>, op: &str, from: (&TileType, u64), to: (&TileType, u64)) -> Diagnostic {
    let bits = |(tile, bits): (&TileType, u64)| match bits % 8 {
        0 => format!("`{tile}` takes {} bytes", bits / 8),
        _ => format!("`{tile}` takes {bits} bits"),
    };
    Diagnostic::new(&PAGE, range, format!("`{op}` keeps the bytes, but {} and {}", bits(from), bits(to)))
}
