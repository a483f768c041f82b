//! L0009: padding without a mask.

use crate::diagnostic::{Diagnostic, Edit, Page, Severity};
use std::ops::Range;

/// The page of L0009.
pub(super) static PAGE: Page = Page {
    code: "L0009",
    name: "left-out",
    severity: Severity::Warning,
    text: r#"The first operand after the pointers of a `load_ptr_tko` is the mask, but this one has the type of
the result. It is most likely the padding: NVIDIA's disassembler prints a load that has padding and
no mask in this way. `tile` reads it as padding, and other readers of the text refuse it. If the
result is a tile of `i1`, the types do not distinguish a mask from padding, and the operand is read
as the mask."#,
    fix: r#"Remove the padding, which has no effect without a mask, or write the op in generic form, which can
express it."#,
    see: &["L0011", "load_ptr_tko", "generic form"],
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

/// An operand `value` that is read as the second of two optional operands `names`, since the first cannot have its type.
/// `cuts` are the operand and its type, with the commas in front of them.
pub(crate) fn left_out(
    range: Range<u32>,
    value: &str,
    op: &str,
    [first, second]: [&str; 2],
    cuts: Vec<Range<u32>>,
) -> Diagnostic {
    let message = format!("`{value}` is read as the `{second}` of `{op}`, which has no `{first}`");
    let found = Diagnostic::new(&PAGE, range, message)
        .note(format!("its place is that of the `{first}`, but its type is that of the result"));
    if cuts.is_empty() {
        return found;
    }
    let edits = cuts.into_iter().map(|range| Edit { range, content: String::new() }).collect();
    found.safe_fix_all(format!("remove `{value}`, which has no effect without a `{first}`"), edits)
}
