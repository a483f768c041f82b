//! E0014: bad name.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0014.
pub(super) static PAGE: Page = Page {
    code: "E0014",
    name: "bad-name",
    severity: Severity::Error,
    text: r#"The name of a value is either a number, such as `%4`, or starts with a letter or one of `$ . _ -`. A
name that starts with a digit ends after the last digit, so `%4_sum` is the value `%4` followed by a
word."#,
    fix: r#"Start the name with a letter, as in `%sum_4`, or use digits only."#,
    see: &["E0008", "E0101", "value"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %4_sum = iota : tile<4xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %sum_4 = iota : tile<4xi32>
  }
}
"#,
};

/// A name that starts with a digit but is not a number.
pub(crate) fn bad_name(range: Range<u32>, rest: &str) -> Diagnostic {
    Diagnostic::new(
        &PAGE,
        range,
        format!("unexpected `{rest}`: a name that starts with a digit must be a number, such as `%2`"),
    )
}
