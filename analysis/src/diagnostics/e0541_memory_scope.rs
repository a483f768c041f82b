//! E0541: memory scope.

use super::words::keywords;
use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;
use tile_dialect::{MEMORY_ORDERING, MEMORY_SCOPE, ordering};

/// The page of E0541.
pub(super) static PAGE: Page = Page {
    code: "E0541",
    name: "memory-scope",
    severity: Severity::Error,
    text: r#"The memory scope does not fit the memory ordering. A `weak` access guarantees that no other access
conflicts with it, so it has no scope. Every other ordering needs a scope, which says which accesses
it applies to: `tl_blk`, `device` or `sys`."#,
    fix: "Remove the scope of a weak access, or add one to another ordering: `relaxed device`.",
    see: &["R0107", "memory ordering", "memory scope"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %a, %t = load_ptr_tko relaxed %p : tile<ptr<f32>> -> tile<f32>, token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %a, %t = load_ptr_tko relaxed device %p : tile<ptr<f32>> -> tile<f32>, token
  }
}
"#,
};

/// A scope too many or too few.
pub(crate) fn memory_scope(range: Range<u32>, op: &str, order: u8) -> Diagnostic {
    if order == ordering::WEAK {
        return Diagnostic::new(&PAGE, range.clone(), format!("a weak `{op}` has no scope")).fix(
            "remove it",
            range,
            "",
        );
    }
    let name = MEMORY_ORDERING.keyword(order);
    let message = format!("`{op} {name}` needs a scope: one of {}", keywords(&MEMORY_SCOPE, &[]));
    let end = range.end..range.end;
    Diagnostic::new(&PAGE, range, message).fix("write `device`", end, " device")
}
