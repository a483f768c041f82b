//! E0561: preview rule.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0561.
pub(super) static PAGE: Page = Page {
    code: "E0561",
    name: "preview-rule",
    severity: Severity::Error,
    text: r#"A function of the SIMT preview, a call of one, or one of their types and attributes breaks a rule;
the message says which. In the first program below, a type uses a constant parameter `M` that the
function does not have."#,
    fix: r#"Follow the rule in the message. `tile doc preview$func`, `preview$extern_impl`, `preview$call` and
`fragment` list the rules."#,
    see: &["E0805", "SIMT preview", "preview$func", "preview$call", "constant parameter"],
    wrong: r#"cuda_tile.module @m {
  preview$func extern @f<[N: index]>(%x: tile<[M]xf32> {cuda_tile.preview$access = #cuda_tile<preview$access<in>>})
}
"#,
    right: r#"cuda_tile.module @m {
  preview$func extern @f<[N: index]>(%x: tile<[N]xf32> {cuda_tile.preview$access = #cuda_tile<preview$access<in>>})
}
"#,
};

/// A broken rule.
pub(crate) fn preview_rule(range: Range<u32>, message: String) -> Diagnostic {
    Diagnostic::new(&PAGE, range, message)
}

/// A preview op in generic form.
pub(crate) fn preview_generic(range: Range<u32>, op: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{op}` cannot be written in generic form"))
        .note(format!("write `{op} …`, without quotes"))
}

/// A call of something that is not a function of a library.
pub(crate) fn not_callable(range: Range<u32>, name: &str, what: &str, definition: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`@{name}` is {what}; `preview$call` calls a `preview$func`"))
        .label(definition, "defined here")
}

/// An implementation of something that is not a function of a library.
pub(crate) fn not_implementable(range: Range<u32>, name: &str, what: &str, definition: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`@{name}` is {what}; a `preview$extern_impl` implements a `preview$func`"))
        .label(definition, "defined here")
}
