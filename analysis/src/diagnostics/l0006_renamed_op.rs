//! L0006: renamed op.

use crate::diagnostic::{Diagnostic, Edit, Page, Severity, Tag};
use std::ops::Range;
use tile_dialect::Version;

/// The page of L0006.
pub(super) static PAGE: Page = Page {
    code: "L0006",
    name: "renamed-op",
    severity: Severity::Hint,
    text: r#"The program uses the old name of an op: `pow` was renamed to `fpowf` in 13.4. Both names refer to
the same op, and bytecode does not contain names, but a tool that reads text may only know the names
of its own version."#,
    fix: r#"Write the new name; `tile check --fix` does it for you. If the program is meant for an older
version, choose that with `--target-version`."#,
    see: &["L0001", "fpowf", "versions"],
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

/// A name that newer versions have replaced without any other change.
pub(crate) fn renamed_op(range: Range<u32>, old: &str, new: &str, until: Version, edits: Vec<Edit>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{old}` was renamed to `{new}` in {until}"))
        .tagged(Tag::Deprecated)
        .safe_fix_all(format!("write `{new}`"), edits)
}
