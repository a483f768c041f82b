//! L0007: no module.

use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix, Page, Severity};
use std::ops::Range;

/// The page of L0007.
pub(super) static PAGE: Page = Page {
    code: "L0007",
    name: "no-module",
    severity: Severity::Hint,
    text: r#"Entries and globals belong in a module. Disassembled bytecode has none, because bytecode does not
store its name. `tile` accepts such text, but NVIDIA's own text tools require `cuda_tile.module`."#,
    fix: r#"Wrap the entries and globals in `cuda_tile.module @name { … }`."#,
    see: &["E0108", "module", "entry", "global"],
    wrong: r#"entry @k() {
  return
}
"#,
    right: r#"cuda_tile.module @m {
entry @k() {
  return
}
}
"#,
};

/// The first item outside a module. `edits` wrap all such items in a module.
pub(crate) fn no_module(range: Range<u32>, what: &str, edits: Vec<Edit>) -> Diagnostic {
    let found = Diagnostic::new(&PAGE, range, format!("this `{what}` is outside a module"));
    let fix = Fix { whole_file: true, ..Fix::new("wrap it in a module", Applicability::Safe, edits) };
    if fix.edits.is_empty() { found } else { found.with_fix(fix) }
}
