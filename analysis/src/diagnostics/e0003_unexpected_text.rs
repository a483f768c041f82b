//! E0003: unexpected text.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::foreign;
use crate::suggest::closest;
use std::ops::Range;
use tile_dialect::form::Form;
use tile_dialect::{AttrKind, Mnemonic, Named};

/// The page of E0003.
pub(super) static PAGE: Page = Page {
    code: "E0003",
    name: "unexpected-text",
    severity: Severity::Error,
    text: r#"A statement contains text that does not belong to any part of its op, or text follows after its end.
The parser knows the form of every op, so it can tell where the statement should have ended."#,
    fix: "Remove the text, or move it to a separate statement. `tile doc OP` shows the form of an op.",
    see: &["E0001", "E0004", "E0009"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32> 7
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

/// Tokens after a complete statement.
pub(crate) fn unexpected_text(range: Range<u32>, text: &str) -> Diagnostic {
    let message = format!("`{text}` does not belong here: the statement before it is complete");
    let found = Diagnostic::new(&PAGE, range, message);
    match foreign::op(text) {
        Some(counterpart) => found.note(counterpart.hint),
        None => found,
    }
}

/// A keyword that no part of an op takes, or not there.
pub(crate) fn surplus_keyword(range: Range<u32>, op: Mnemonic, text: &str) -> Diagnostic {
    let row = op.row();
    let flags = row.attrs.iter().filter_map(|attr| match attr.kind {
        AttrKind::Flag(word) => Some(word),
        _ => None,
    });
    let diagnostic = Diagnostic::new(&PAGE, range.clone(), format!("`{}` has no `{text}` here", row.name));
    match closest(text, flags) {
        Some(close) => {
            diagnostic.here(format!("did you mean `{close}`?")).fix(format!("write `{close}`"), range, close)
        }
        None => diagnostic.fix("remove it", range, ""),
    }
}

/// What to do instead of `%a[0]`.
pub(super) const SUBSCRIPT: &str =
    "values have no subscripts: `offset` moves a pointer, and `extract` cuts a tile into slices";

/// A token too many inside a statement.
pub(crate) fn stray_token(range: Range<u32>, text: &str) -> Diagnostic {
    let found = Diagnostic::new(&PAGE, range.clone(), format!("`{text}` does not belong here"));
    match text {
        // Removing only the bracket would leave its contents.
        "[" => found.note(SUBSCRIPT),
        "(" => found.note("the operands of an op follow its name without parentheses"),
        ")" | "{" | "}" | "]" => found,
        _ => found.fix("remove it", range, ""),
    }
}

/// An operand with its name before it: `mask=%m`.
pub(crate) fn named_operand(range: Range<u32>, op: Mnemonic, text: &str) -> Diagnostic {
    let message = format!("the operands of `{}` are written without names", op.row().name);
    Diagnostic::new(&PAGE, range.clone(), message).fix(format!("remove `{text}`"), range, "")
}

/// A token before the types of an op that belongs to none of its parts; `rest` is the line from there on.
pub(crate) fn misplaced_token(range: Range<u32>, op: Mnemonic, text: &str, rest: &str) -> Diagnostic {
    let name = op.row().name;
    let message = format!("`{text}` does not belong here; expected the types of `{name}`");
    let found = Diagnostic::new(&PAGE, range, message);
    match foreign::operand(rest).or_else(|| in_dictionary(op, text)) {
        Some(hint) => found.note(hint),
        None => found,
    }
}

/// How an attribute is written that the form of its op does not name.
fn in_dictionary(op: Mnemonic, name: &str) -> Option<String> {
    let row = op.row();
    let attr = row.attrs.iter().find(|attr| attr.name == name)?;
    let AttrKind::Enum { of, .. } = attr.kind else { return None };
    let form: &'static Form = Named { row, spelling: None }.form();
    (!form.names_attr(row, name)).then(|| format!("write `attributes {{{name} = {}}}` before the types", of.literal(0)))
}

/// A region where an op has none; `op` is the statement before it.
pub(crate) fn body_of_function(range: Range<u32>, op: Mnemonic) -> Diagnostic {
    let message = format!("`{}` has no body", op.row().name);
    Diagnostic::new(&PAGE, range, message).note("a tile library contains the code of the function")
}
