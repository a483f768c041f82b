//! L0001: old spelling.

use crate::diagnostic::{Diagnostic, Edit, Page, Severity, Tag};
use std::ops::Range;
use tile_dialect::Version;

/// The page of L0001.
pub(super) static PAGE: Page = Page {
    code: "L0001",
    name: "old-spelling",
    severity: Severity::Warning,
    text: r#"The program uses the old name and syntax of an op: `print` was renamed to `print_tko` in 13.2, and
has returned a token that orders it since then. `tile` still accepts the old spelling, but
NVIDIA's newer tools reject it."#,
    fix: r#"Write the new spelling; `tile check --fix` does it for you. If the program is meant for an older
version, choose that with `--target-version`."#,
    see: &["L0006", "E0801", "print_tko", "versions"],
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

/// A name that newer versions have replaced. `edits` is empty if it is not certain what else must change.
pub(crate) fn old_spelling(range: Range<u32>, old: &str, new: &str, until: Version, edits: Vec<Edit>) -> Diagnostic {
    let found =
        Diagnostic::new(&PAGE, range, format!("`{old}` was renamed to `{new}` in {until}")).tagged(Tag::Deprecated);
    if edits.is_empty() { found } else { found.safe_fix_all(format!("write `{new}`"), edits) }
}
