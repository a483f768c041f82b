//! E0203: power of two.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0203.
pub(super) static PAGE: Page = Page {
    code: "E0203",
    name: "power-of-two",
    severity: Severity::Error,
    text: r#"Every extent of a tile must be a power of two: 1, 2, 4, 8 and so on. This applies to tiles only. A
tensor can have any size: a view cuts it into tiles and masks the elements beyond its edge."#,
    fix: r#"Round the extent up to a power of two, and load the data through a view, whose `padding_value` fills
the elements beyond the edge of the tensor. With pointers, use a mask instead."#,
    see: &["E0204", "E0205", "tile sizes", "partition_view", "padding_value"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<100xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<128xi32>
  }
}
"#,
};

/// An extent that is not a power of two.
pub(super) fn power_of_two(range: Range<u32>, extent: i64) -> Diagnostic {
    let above = (extent as u64).checked_next_power_of_two().unwrap_or(u64::MAX);
    let message = format!("tile dimension {extent} is not a power of two");
    Diagnostic::new(&PAGE, range.clone(), message)
        .here(format!("the nearest powers of two are {} and {above}", above / 2))
        .note("a tensor can have any size: load it through a view, which masks the elements beyond its edge")
        .fix(format!("write `{above}`"), range.clone(), above.to_string())
        .fix(format!("write `{}`", above / 2), range, (above / 2).to_string())
}
