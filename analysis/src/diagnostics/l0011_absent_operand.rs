//! L0011: a keyword or a comma without its operand.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of L0011.
pub(super) static PAGE: Page = Page {
    code: "L0011",
    name: "absent-operand",
    severity: Severity::Warning,
    text: r#"A keyword such as `token =`, or a comma, announces an operand that does not follow. NVIDIA's checker
accepts the op without the operand, so an access that looks ordered does not wait for anything."#,
    fix: "Name the value, or remove the keyword or comma.",
    see: &["R0107", "L0009", "token"],
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

/// A keyword with its `=`, or a comma (`what`), that is not followed by its operand.
pub(crate) fn absent_operand(range: Range<u32>, what: &str, op: &str, operand: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range.clone(), format!("expected a value after this; `{op}` has no `{operand}`"))
        .note(format!("name a value, or leave the {what} out"))
        .safe_fix(format!("leave the {what} out"), range, "")
}
