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
    text: r#"A statement contains, or is followed by, text that does not belong to it. Operands are written
without names or parentheses, and values have neither subscripts nor methods."#,
    fix: r#"Remove the text, or replace it by an op: `offset` moves a pointer, and `extract` takes a slice of a
tile. `tile doc OP` prints the syntax of an op."#,
    see: &["E0001", "E0004", "E0009", "offset", "extract"],
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
    let message = format!("unexpected `{text}` after a complete statement");
    let found = Diagnostic::new(&PAGE, range, message);
    match foreign::op(text) {
        Some(counterpart) => found.note(counterpart.hint),
        None => found,
    }
}

/// A keyword that the op does not take at this position.
pub(crate) fn surplus_keyword(range: Range<u32>, op: Mnemonic, text: &str) -> Diagnostic {
    let row = op.row();
    let flags = row.attrs.iter().filter_map(|attr| match attr.kind {
        AttrKind::Flag(word) => Some(word),
        _ => None,
    });
    let diagnostic = Diagnostic::new(&PAGE, range.clone(), format!("`{}` does not take `{text}` here", row.name));
    match closest(text, flags) {
        Some(close) => {
            diagnostic.here(format!("did you mean `{close}`?")).fix(format!("write `{close}`"), range, close)
        }
        None => diagnostic.fix(format!("remove `{text}`"), range, ""),
    }
}

/// The replacements for `%a[0]`.
pub(super) const SUBSCRIPT: &str =
    "values cannot be subscripted: use `offset` to move a pointer, or `extract` to take a slice of a tile";

/// An extra token inside a statement.
pub(crate) fn stray_token(range: Range<u32>, text: &str) -> Diagnostic {
    let found = Diagnostic::new(&PAGE, range.clone(), format!("unexpected `{text}`"));
    match text {
        // Removing only the bracket would leave its contents.
        "[" => found.note(SUBSCRIPT),
        "(" => found.note("write the operands after the name of the op, without parentheses"),
        ")" | "{" | "}" | "]" => found,
        _ => found.fix(format!("remove `{text}`"), range, ""),
    }
}

/// An operand with its name before it: `mask=%m`.
pub(crate) fn named_operand(range: Range<u32>, op: Mnemonic, text: &str) -> Diagnostic {
    let message = format!("the operands of `{}` are written without names", op.row().name);
    Diagnostic::new(&PAGE, range.clone(), message).fix(format!("remove `{text}`"), range, "")
}

/// An unexpected token before the types of an op; `rest` is the line from that token on.
pub(crate) fn misplaced_token(range: Range<u32>, op: Mnemonic, text: &str, rest: &str) -> Diagnostic {
    let name = op.row().name;
    let message = format!("unexpected `{text}`; expected the types of `{name}`");
    let found = Diagnostic::new(&PAGE, range, message);
    match foreign::operand(rest).or_else(|| in_dictionary(op, text)) {
        Some(hint) => found.note(hint),
        None => found,
    }
}

/// The dictionary entry for an attribute that is not part of the op's custom form.
fn in_dictionary(op: Mnemonic, name: &str) -> Option<String> {
    let row = op.row();
    let attr = row.attrs.iter().find(|attr| attr.name == name)?;
    let AttrKind::Enum { of, .. } = attr.kind else { return None };
    let form: &'static Form = Named { row, spelling: None }.form();
    (!form.names_attr(row, name)).then(|| format!("write `attributes {{{name} = {}}}` before the types", of.literal(0)))
}

/// A region after an op that has none.
pub(crate) fn body_of_function(range: Range<u32>, op: Mnemonic) -> Diagnostic {
    let message = format!("`{}` cannot have a body", op.row().name);
    Diagnostic::new(&PAGE, range, message).note("the code of the function is in a tile library")
}
