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
    text: r#"The signature of an entry normally names its parameters. If it lists only types, the header of the
block names the parameters, with one name for each type and the same types. An entry has exactly one
block, so it cannot have further labels."#,
    fix: r#"Name the parameters in the signature and remove the block header, or make the header agree with the
signature. For control flow, use `if`, `for` and `loop`."#,
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

/// A block whose parameter count differs from the signature.
pub(crate) fn block_parameter_count(range: Range<u32>, op: &str, expected: usize, found: usize) -> Diagnostic {
    let stated = counted(expected as i64, "parameter");
    let message = format!("the signature of this `{op}` has {stated}, but its block has {found}");
    Diagnostic::new(&PAGE, range, message)
}

/// A block parameter whose type differs from the signature.
pub(crate) fn block_parameter(range: Range<u32>, stated: Range<u32>, expected: Type, found: Type) -> Diagnostic {
    let message = format!("this parameter has type `{expected}` in the signature, found `{found}`");
    Diagnostic::new(&PAGE, range, message).label(stated, "its type in the signature")
}

/// A block header in an entry whose signature names the parameters.
pub(crate) fn named_twice(range: Range<u32>, signature: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, "a block header is only allowed if the signature does not name the parameters")
        .label(signature, "the parameters are named here")
        .note("an entry has one block: control flow is `if`, `for` and `loop`, without labels")
}
