//! E0107: foreign op.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;
use tile_dialect::{DIALECT_PREFIX, lookup};

/// The page of E0107.
pub(super) static PAGE: Page = Page {
    code: "E0107",
    name: "foreign-op",
    severity: Severity::Error,
    text: r#"An op belongs to another dialect. A Tile IR program contains only ops of the dialect `cuda_tile`;
NVIDIA's tools do not convert other dialects."#,
    fix: "Replace the op by the Tile IR op that the note suggests, or lower the program to Tile IR first.",
    see: &["E0002", "E0108", "cuda_tile"],
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

/// An op in generic form that is none of ours.
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
