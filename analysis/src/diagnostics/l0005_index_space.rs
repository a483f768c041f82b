//! L0005: index space.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::fmt;
use std::ops::Range;

/// The page of L0005.
pub(super) static PAGE: Page = Page {
    code: "L0005",
    name: "index-space",
    severity: Severity::Warning,
    text: r#"An index of an access through a view is certain to leave the index space of the view, which is
undefined behavior. Indices of partition and strided views count tiles: a dimension of 1000
elements in tiles of 256 has the indices 0 to 3.

The range of an index is derived from constants, `assume`, loop bounds and the shapes of views. If a
launch is written above the entry, its grid and its numbers are also used."#,
    fix: r#"Use the results of `get_index_space_shape` as loop bounds, and launch no more tile blocks than there
are tiles."#,
    see: &["R0501", "index space", "get_index_space_shape", "launch"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %all = constant <i32: 1000> : tile<i32>
    %v = make_tensor_view %p, shape = [1000], strides = [1] : tensor_view<1000xf32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(256), tensor_view<1000xf32, strides=[1]>>
    for %i in (%zero to %all, step %one) : tile<i32> {
      %x, %t = load_view_tko weak %w[%i] : partition_view<tile=(256), tensor_view<1000xf32, strides=[1]>>, tile<i32> -> tile<256xf32>, token
    }
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %v = make_tensor_view %p, shape = [1000], strides = [1] : tensor_view<1000xf32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(256), tensor_view<1000xf32, strides=[1]>>
    %tiles = get_index_space_shape %w : partition_view<tile=(256), tensor_view<1000xf32, strides=[1]>> -> tile<i32>
    for %i in (%zero to %tiles, step %one) : tile<i32> {
      %x, %t = load_view_tko weak %w[%i] : partition_view<tile=(256), tensor_view<1000xf32, strides=[1]>>, tile<i32> -> tile<256xf32>, token
    }
  }
}
"#,
};

/// How an index leaves the index space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outside {
    /// It equals this number.
    Is(i64),
    /// It is never less.
    AtLeast(i64),
    /// It is never more.
    AtMost(i64),
    /// It reaches this number in some tile block or iteration.
    Reaches(i64),
}

impl fmt::Display for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outside::Is(index) => write!(f, "is {index}"),
            Outside::AtLeast(index) => write!(f, "is at least {index}"),
            Outside::AtMost(index) => write!(f, "is at most {index}"),
            Outside::Reaches(index) => write!(f, "reaches {index}"),
        }
    }
}

/// An index that leaves the index space of a view, which has `count` tiles or elements along the dimension.
pub(crate) fn index_space(
    range: Range<u32>,
    index: &str,
    view: &str,
    dim: usize,
    outside: Outside,
    count: i64,
    what: &str,
) -> Diagnostic {
    let counted = super::words::counted(count, what);
    let message = format!("`{index}` {outside}, but `{view}` has {counted} along dimension {dim}, counted from 0");
    Diagnostic::new(&PAGE, range, message)
}
