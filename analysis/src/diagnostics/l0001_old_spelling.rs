//! L0001: old spelling.

use crate::diagnostic::{Diagnostic, Edit, Page, Severity};
use std::ops::Range;
use tile_dialect::Version;

/// The page of L0001.
pub(super) static PAGE: Page = Page {
    code: "L0001",
    name: "old-spelling",
    severity: Severity::Warning,
    text: r#"The op is written in an older form: since 13.2, for example, `print` is `print_tko`, which returns a
token that orders it. `tile` accepts the old spelling, but NVIDIA's newer tools reject it. Which
spelling is current depends on `--target-version`."#,
    fix: "Apply the quick fix, or `tile check --fix`.",
    see: &["E0801", "L0006", "versions", "print_tko"],
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
