//! L0002: bare conversion.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of L0002.
pub(super) static PAGE: Page = Page {
    code: "L0002",
    name: "bare-conversion",
    severity: Severity::Warning,
    text: r#"A `%` in the format has no conversion letter. The published programming model writes `<%, %, %>` for
numbers, so the CPU engine and `tile run --target cuda` print the operand according to its type.
NVIDIA's compiler counts the `%` as a conversion, reads on to the next letter that it knows, and the
GPU prints that text unchanged: `<%, %, %>`."#,
    fix: r#"Write the conversion for the type of the operand: `%i` for integers, `%lli` for `i64`, `%f` for
floats, `%p` for pointers."#,
    see: &["E0552", "L0014", "R0305", "print_tko"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: 7> : tile<i32>
    print_tko "<%, %> done\n", %a, %a : tile<i32>, tile<i32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: 7> : tile<i32>
    print_tko "<%i, %i> done\n", %a, %a : tile<i32>, tile<i32> -> token
  }
}
"#,
};

/// `%` without a letter; `fixed` is the literal with letters.
pub(crate) fn bare_conversion(range: Range<u32>, fixed: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range.clone(), "a `%` in this format has no conversion letter")
        .note("a kernel that was not compiled by `tile run` prints the `%` itself")
        .safe_fix(format!("write {fixed}"), range, fixed)
}
