//! L0001: old spelling.

use crate::diagnostic::{Diagnostic, Edit, Page, Severity};
use std::ops::Range;
use tile_dialect::Version;

/// The page of L0001.
pub(super) static PAGE: Page = Page {
    code: "L0001",
    name: "old-spelling",
    severity: Severity::Warning,
    text: r#"An op is written in another way since some version: `print` is `print_tko` since 13.2 and gives a token that orders it. The
old spelling is still understood here, but NVIDIA's newer tools reject it. `--target-version` says whose spelling holds."#,
    fix: "",
    see: &[],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    print "hello\n"
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    print_tko "hello\n" -> token
  }
}
"#,
};

/// A name that newer versions have replaced. No edits where what else must change is not certain.
pub(crate) fn old_spelling(range: Range<u32>, old: &str, new: &str, until: Version, edits: Vec<Edit>) -> Diagnostic {
    let found = Diagnostic::new(&PAGE, range, format!("`{old}` is called `{new}` since {until}"));
    if edits.is_empty() { found } else { found.safe_fix_all(format!("write `{new}`"), edits) }
}
