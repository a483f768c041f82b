//! L0002: bare conversion.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of L0002.
pub(super) static PAGE: Page = Page {
    code: "L0002",
    name: "bare-conversion",
    severity: Severity::Warning,
    text: r#"A `%` without a conversion letter is counted as a conversion by NVIDIA's checker, which reads on to the next letter it knows.
What is printed then is rarely what was meant. Write `%i` for integers and `%f` for floats."#,
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

/// `%` without a letter; `mended` is the literal with letters.
pub(crate) fn bare_conversion(range: Range<u32>, mended: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range.clone(), "a `%` of this format has no conversion letter")
        .note("`%i` prints integers and `%f` floats")
        .safe_fix(format!("write {mended}"), range, mended)
}
