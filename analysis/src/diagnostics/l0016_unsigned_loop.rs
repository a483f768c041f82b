//! L0016: unsigned loop.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of L0016.
pub(super) static PAGE: Page = Page {
    code: "L0016",
    name: "unsigned-loop",
    severity: Severity::Warning,
    text: r#"NVIDIA's compilers 13.4.92 and 13.5.37 generate wrong code for a `for unsigned` that loads in its
body, unless all bounds are constant. They load up to 50 iterations ahead; a loop with fewer
iterations runs about 2^32 times, so that the kernel hangs or its results are wrong. The CPU engine
runs such a loop correctly."#,
    fix: r#"Use a signed loop, with bounds of a wider type if they can exceed the largest signed number."#,
    see: &["R0402", "for", "load_ptr_tko", "load_view_tko"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %count: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %sum = for unsigned %i in (%zero to %count, step %one) : tile<i32> iter_values(%s = %zero) -> (tile<i32>) {
      %at = offset %p, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %x, %t = load_ptr_tko weak %at : tile<ptr<i32>> -> tile<i32>, token
      %next = addi %s, %x : tile<i32>
      continue %next : tile<i32>
    }
    print_tko "%i\n", %sum : tile<i32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %count: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %sum = for %i in (%zero to %count, step %one) : tile<i32> iter_values(%s = %zero) -> (tile<i32>) {
      %at = offset %p, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %x, %t = load_ptr_tko weak %at : tile<ptr<i32>> -> tile<i32>, token
      %next = addi %s, %x : tile<i32>
      continue %next : tile<i32>
    }
    print_tko "%i\n", %sum : tile<i32> -> token
  }
}
"#,
};

/// A `for unsigned` that loads in its body. `word` is the range of `unsigned` with the space after it, if it is
/// written.
pub(crate) fn unsigned_loop(range: Range<u32>, word: Option<Range<u32>>) -> Diagnostic {
    let message = "on a GPU, this unsigned loop can run about 2^32 times, because its body loads";
    let found = Diagnostic::new(&PAGE, range, message)
        .note("NVIDIA's compilers 13.4.92 and 13.5.37 generate wrong code for loops with few iterations");
    match word {
        Some(word) => found.fix("use a signed loop", word, ""),
        None => found,
    }
}
