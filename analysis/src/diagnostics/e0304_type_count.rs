//! E0304: type count.

use super::words::counted;
use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0304.
pub(super) static PAGE: Page = Page {
    code: "E0304",
    name: "type-count",
    severity: Severity::Error,
    text: r#"A list of types has a different length than the list of values that it describes. There is one type
for each value, in the same order, even if all types are equal."#,
    fix: r#"Write one type for each value, separated by commas. The indices of a view are the exception: a
single type applies to all of them."#,
    see: &["E0001", "E0301", "E0306"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    print_tko "%i %i\n", %a, %a : tile<4xi32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    print_tko "%i %i\n", %a, %a : tile<4xi32>, tile<4xi32> -> token
  }
}
"#,
};

/// A number of types that differs from the number of values.
#[derive(Debug)]
pub(crate) struct WrongTypeCount {
    pub(crate) place: Range<u32>,
    pub(crate) op: &'static str,
    /// The name of the operand or result in the row of the op.
    pub(crate) part: &'static str,
    pub(crate) values: usize,
    /// 0 if the types are left out altogether.
    pub(crate) types: usize,
}

impl WrongTypeCount {
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let WrongTypeCount { op, part, types, .. } = self;
        let message = match types {
            0 => format!("the type of `{part}` of `{op}` is missing"),
            _ => format!("expected {} for `{part}` of `{op}`, found {types}", counted(self.values as i64, "type")),
        };
        Diagnostic::new(&PAGE, self.place.clone(), message)
    }
}
