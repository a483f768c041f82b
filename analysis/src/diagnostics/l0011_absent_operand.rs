//! L0011: absent operand.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of L0011.
pub(super) static PAGE: Page = Page {
    code: "L0011",
    name: "absent-operand",
    severity: Severity::Warning,
    text: r#"A keyword such as `token =`, or a comma, is not followed by an operand. NVIDIA's checker accepts
this and reads the op without the operand. Without a token, the access then waits for nothing,
although the text suggests otherwise."#,
    fix: r#"Add the value, or remove the keyword or the comma."#,
    see: &["L0009", "R0106", "token", "load_ptr_tko"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %x, %t = load_ptr_tko weak %p token= : tile<ptr<f32>> -> tile<f32>, token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %before = make_token : token
    %x, %t = load_ptr_tko weak %p token=%before : tile<ptr<f32>> -> tile<f32>, token
  }
}
"#,
};

/// A keyword with its `=`, or a comma, that is not followed by an operand. `what` is `keyword` or `comma`.
pub(crate) fn absent_operand(range: Range<u32>, what: &str, op: &str, operand: &str) -> Diagnostic {
    let message = format!("expected a value after this; without it, `{op}` has no `{operand}`");
    Diagnostic::new(&PAGE, range.clone(), message).note(format!("add a value or remove the {what}")).safe_fix(
        format!("remove the {what}"),
        range,
        "",
    )
}
