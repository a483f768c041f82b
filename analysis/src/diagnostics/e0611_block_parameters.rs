//! E0611: block parameters.

use super::words::counted;
use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;

/// The page of E0611.
pub(super) static PAGE: Page = Page {
    code: "E0611",
    name: "block-parameters",
    severity: Severity::Error,
    text: r#"The parameters of an entry are named in a wrong way. The names are in the signature. If the
signature only has types, the header of the block names the parameters: as many as there are types,
with the same types."#,
    fix: "Write the parameters as `%name: type` in the signature, or correct the header of the block.",
    see: &["E0606", "E0610", "entry"],
    wrong: r#"cuda_tile.module @m {
  entry @k(tile<i32>, tile<ptr<f32>>) {
  ^bb0(%n: tile<i64>, %p: tile<ptr<f32>>):
    return
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(tile<i32>, tile<ptr<f32>>) {
  ^bb0(%n: tile<i32>, %p: tile<ptr<f32>>):
    return
  }
}
"#,
};

/// Another number of parameters than the signature has.
pub(crate) fn block_parameter_count(range: Range<u32>, op: &str, expected: usize, found: usize) -> Diagnostic {
    let stated = counted(expected as i64, "parameter");
    let message = format!("the signature of this `{op}` has {stated}, but its block has {found}");
    Diagnostic::new(&PAGE, range, message)
}

/// A parameter of another type than the signature gives it.
pub(crate) fn block_parameter(range: Range<u32>, stated: Range<u32>, expected: Type, found: Type) -> Diagnostic {
    let message = format!("this parameter has type `{expected}` in the signature, found `{found}`");
    Diagnostic::new(&PAGE, range, message).label(stated, "its type in the signature")
}

/// The header of a block whose parameters have names already.
pub(crate) fn named_twice(range: Range<u32>, signature: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, "the header of a block is only allowed where the signature names no parameters")
        .label(signature, "the parameters are named here")
        .note("an entry has one block: control flow is `if`, `for` and `loop`, without labels")
}
