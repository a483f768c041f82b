//! L0007: no module.

use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix, Page, Severity};
use std::ops::Range;

/// The page of L0007.
pub(super) static PAGE: Page = Page {
    code: "L0007",
    name: "no-module",
    severity: Severity::Hint,
    text: r#"Entries and globals stand in a module. Disassembled bytecode has none, since bytecode does not hold its name, and is
understood here all the same; NVIDIA's own tools for text ask for `cuda_tile.module`."#,
    fix: "",
    see: &[],
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
    let found = Diagnostic::new(&PAGE, range, format!("this `{what}` stands outside a module"));
    let fix = Fix { whole_file: true, ..Fix::new("put a module around it", Applicability::Safe, edits) };
    if fix.edits.is_empty() { found } else { found.with_fix(fix) }
}
