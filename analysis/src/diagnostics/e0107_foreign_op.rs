//! E0107: foreign op.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;
use tile_dialect::{DIALECT_PREFIX, lookup};

/// The page of E0107.
pub(super) static PAGE: Page = Page {
    code: "E0107",
    name: "foreign-op",
    severity: Severity::Error,
    text: r#"An op in generic form belongs to another dialect, such as `arith`, or does not exist. A Tile IR
program can only contain ops of `cuda_tile`."#,
    fix: r#"Replace the op by its Tile IR equivalent, such as `"cuda_tile.addi"` for `"arith.addi"`. `tile doc`
without arguments lists all ops."#,
    see: &["E0002", "E0108", "generic form", "cuda_tile"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    "arith.addi"() : () -> ()
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
  }
}
"#,
};

/// An op in generic form that is not part of the dialect.
pub(crate) fn foreign_op(range: Range<u32>, name: &str) -> Diagnostic {
    let bare = name.trim_matches('"');
    let own = lookup(bare).map(|named| named.row.name).or_else(|| crate::suggest::op(bare));
    match own {
        Some(own) => {
            let full = format!("\"{DIALECT_PREFIX}{own}\"");
            let message = format!("unknown op {name}; did you mean `{full}`?");
            Diagnostic::new(&PAGE, range.clone(), message).fix(format!("write `{full}`"), range, full)
        }
        None => Diagnostic::new(&PAGE, range, format!("unknown op {name}"))
            .note("ops of other dialects are not part of Tile IR"),
    }
}
