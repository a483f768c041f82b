//! E0503: bad permutation.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0503.
pub(super) static PAGE: Page = Page {
    code: "E0503",
    name: "bad-permutation",
    severity: Severity::Error,
    text: r#"`permute` reorders the dimensions of a tile of rank 2 or more. Its list contains each dimension from
0 to the rank minus 1 exactly once: dimension `i` of the result is the dimension of the operand at
position `i` of the list."#,
    fix: r#"List every dimension once; `[1, 0]` transposes a matrix. To change the rank, use `reshape`."#,
    see: &["E0209", "E0305", "permute", "reshape"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: 1> : tile<2x4xi32>
    %b = permute %a [0, 0] : tile<2x4xi32> -> tile<2x2xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: 1> : tile<2x4xi32>
    %b = permute %a [1, 0] : tile<2x4xi32> -> tile<4x2xi32>
  }
}
"#,
};

/// A list that is not a permutation, or a tile of too low a rank.
pub(crate) fn bad_permutation(range: Range<u32>, list: &[i64], rank: usize) -> Diagnostic {
    let what = if rank < 2 {
        "`permute` needs a tile of rank 2 or more".to_string()
    } else {
        format!("{list:?} is not a permutation of 0..{}", rank - 1)
    };
    Diagnostic::new(&PAGE, range, what)
}
