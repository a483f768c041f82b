//! L0009: padding without a mask.

use crate::diagnostic::{Diagnostic, Edit, Page, Severity, Tag};
use std::ops::Range;

/// The page of L0009.
pub(super) static PAGE: Page = Page {
    code: "L0009",
    name: "padding-without-mask",
    severity: Severity::Warning,
    text: r#"The first operand after the pointers of `load_ptr_tko` is the mask, but this one has the type of the
result, so it is probably the padding. NVIDIA's disassembler prints a load with padding and no mask
this way. `tile` reads the operand as padding; other tools reject the text. For a result of type
`i1`, the types do not distinguish a mask from padding, and the operand is read as the mask."#,
    fix: r#"Remove the operand: without a mask, padding has no effect. Generic form can express such a load if
it must be kept."#,
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

/// An operand `value` that is read as the second of two optional operands, because its type does not suit the first.
/// `cuts` are the ranges of the operand and its type, with the commas before them.
pub(crate) fn padding_without_mask(
    range: Range<u32>,
    value: &str,
    op: &str,
    [first, second]: [&str; 2],
    cuts: Vec<Range<u32>>,
) -> Diagnostic {
    let message = format!("`{value}` is read as the `{second}` of `{op}`, which has no `{first}`");
    let found = Diagnostic::new(&PAGE, range, message)
        .tagged(Tag::Unnecessary)
        .note(format!("it is in the position of the `{first}`, but has the type of the result"));
    if cuts.is_empty() {
        return found;
    }
    let edits = cuts.into_iter().map(|range| Edit { range, content: String::new() }).collect();
    found.safe_fix_all(format!("remove `{value}`, which has no effect without a `{first}`"), edits)
}
