//! E0203: power of two.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0203.
pub(super) static PAGE: Page = Page {
    code: "E0203",
    name: "power-of-two",
    severity: Severity::Error,
    text: r#"Every extent of a tile is a power of two: 1, 2, 4, 8, … A tensor may have any size; it is cut into tiles by a view, which
masks what lies beyond its edge."#,
    fix: "",
    see: &[],
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

/// An extent that is no power of two.
pub(crate) fn power_of_two(range: Range<u32>, extent: i64) -> Diagnostic {
    let above = (extent as u64).checked_next_power_of_two().unwrap_or(u64::MAX);
    let message = format!("tile dimension {extent} is not a power of two");
    Diagnostic::new(&PAGE, range.clone(), message)
        .here(format!("the nearest are {} and {above}", above / 2))
        .note("a tensor may have any size: load it through a view, which masks the elements beyond its edge")
        .fix(format!("write `{above}`"), range.clone(), above.to_string())
        .fix(format!("write `{}`", above / 2), range, (above / 2).to_string())
}
