//! L0006: renamed op.

use crate::diagnostic::{Diagnostic, Edit, Page, Severity};
use std::ops::Range;
use tile_dialect::Version;

/// The page of L0006.
pub(super) static PAGE: Page = Page {
    code: "L0006",
    name: "renamed-op",
    severity: Severity::Hint,
    text: r#"The op was renamed: since 13.4, for example, `pow` is called `fpowf`. Both names mean the same, and
bytecode contains no names, but tools that read text may only know the name of their own version.
Which name is current depends on `--target-version`."#,
    fix: "Apply the quick fix, or `tile check --fix`.",
    see: &["E0002", "L0001", "versions"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    %a = pow %x, %x : tile<f32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    %a = fpowf %x, %x : tile<f32>
  }
}
"#,
};

/// A name that newer versions have replaced, where nothing else has changed.
pub(crate) fn renamed_op(range: Range<u32>, old: &str, new: &str, until: Version, edits: Vec<Edit>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{old}` is called `{new}` since {until}"))
        .safe_fix_all(format!("write `{new}`"), edits)
}
