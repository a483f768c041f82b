//! E0507: pack size.

use super::words::counted;
use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::TileType;
use std::ops::Range;

/// The page of E0507.
pub(super) static PAGE: Page = Page {
    code: "E0507",
    name: "pack-size",
    severity: Severity::Error,
    text: r#"`pack` and `unpack` read the same bytes as elements of another type. Both tiles must have rank 1 and
occupy the same whole number of bytes, and their elements must differ in width."#,
    fix: r#"Choose the number of elements so that the bytes agree: 32 elements of `f16` are 64 of `i8`. For
elements of equal width, use `bitcast`. For tiles of another rank, use `reshape` first."#,
    see: &["E0511", "pack", "unpack", "bitcast", "reshape"],
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

/// A tile whose rank is not 1.
pub(crate) fn pack_rank(range: Range<u32>, op: &str, tile: &TileType) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{op}` takes tiles of rank 1, found `{tile}`"))
}

/// Elements of equal width.
pub(crate) fn pack_width(range: Range<u32>, op: &str, from: &TileType, to: &TileType) -> Diagnostic {
    let message =
        format!("`{op}` must change the element width, but the elements of `{from}` and `{to}` are equally wide");
    Diagnostic::new(&PAGE, range, message).note("use `bitcast` to read elements as another type of the same width")
}

/// Tiles that do not occupy the same whole number of bytes.
pub(crate) fn pack_size(range: Range<u32>, op: &str, from: (&TileType, u64), to: (&TileType, u64)) -> Diagnostic {
    let bits = |(tile, bits): (&TileType, u64)| match bits % 8 {
        0 => format!("`{tile}` takes {}", counted((bits / 8) as i64, "byte")),
        _ => format!("`{tile}` takes {bits} bits"),
    };
    Diagnostic::new(&PAGE, range, format!("`{op}` cannot change the number of bytes: {}, but {}", bits(from), bits(to)))
}
