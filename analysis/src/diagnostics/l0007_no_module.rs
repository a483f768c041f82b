//! L0007: no module.

use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix, Page, Severity};
use std::ops::Range;

/// The page of L0007.
pub(super) static PAGE: Page = Page {
    code: "L0007",
    name: "no-module",
    severity: Severity::Hint,
    text: r#"Entries and globals are outside of a module. Disassembled bytecode has no module, since bytecode
does not store its name, and `tile` accepts that. NVIDIA's own tools for text require
`cuda_tile.module`."#,
    fix: "Put a module around the file; a quick fix does so.",
    see: &["E0108", "module"],
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

/// The first item outside a module, and the edits that put a module around all of them.
pub(crate) fn no_module(range: Range<u32>, what: &str, edits: Vec<Edit>) -> Diagnostic {
    let found = Diagnostic::new(&PAGE, range, format!("this `{what}` is outside of a module"));
    let fix = Fix { whole_file: true, ..Fix::new("put a module around it", Applicability::Safe, edits) };
    if fix.edits.is_empty() { found } else { found.with_fix(fix) }
}
