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
    text: r#"A `weak` access assumes that no other access conflicts with it at the same time, so it has no scope.
Every other ordering needs a scope: the set of accesses that it synchronizes with, those of the tile
block (`tl_blk`), of the device (`device`) or of the whole system (`sys`)."#,
    fix: r#"Remove the scope of a `weak` access. For other orderings, choose `device` to synchronize the tile
blocks of a launch, and `sys` to include other devices and the host."#,
    see: &["memory scope", "memory ordering", "weak", "R0107"],
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

/// A weak access with a scope, or another access without one.
pub(crate) fn memory_scope(range: Range<u32>, op: &str, order: u8) -> Diagnostic {
    if order == ordering::WEAK {
        let message = format!("a weak `{op}` cannot have a scope");
        return Diagnostic::new(&PAGE, range.clone(), message).fix("remove the scope", range, "");
    }
    let name = MEMORY_ORDERING.keyword(order);
    let message = format!("`{op} {name}` needs a scope: one of {}", keywords(&MEMORY_SCOPE, &[]));
    let end = range.end..range.end;
    Diagnostic::new(&PAGE, range, message).fix("insert `device`", end, " device")
}
