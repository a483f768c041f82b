//! L0009: padding without a mask.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of L0009.
pub(super) static PAGE: Page = Page {
    code: "L0009",
    name: "left-out",
    severity: Severity::Hint,
    text: r#"The text names no operands, so by the grammar the one behind the pointers of `load_ptr_tko` is the mask. Here
its type is that of the result: it is padding, and there is no mask. NVIDIA's disassembler prints it like this, and it
is read like this here, but other readers of the text refuse it. Without a mask padding changes nothing: leave it out.
Only the generic form can keep it."#,
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %zero = constant <f32: 0.0> : tile<f32>
    %x, %t = load_ptr_tko weak %p, %zero : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %x, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
  }
}
"#,
};

/// An optional operand that must be the second, since the first cannot have its type.
pub(crate) fn left_out(range: Range<u32>, op: &str, first: &str, second: &str) -> Diagnostic {
    let message = format!("this is taken for the `{second}` of `{op}`, and there is no `{first}`");
    Diagnostic::new(&PAGE, range, message)
        .note(format!("by its place it is the `{first}`, which cannot have its type; other tools refuse it"))
}
