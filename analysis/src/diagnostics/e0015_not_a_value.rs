//! E0015: not a value.

use crate::diagnostic::{Diagnostic, Edit, Page, Severity};
use std::ops::Range;
use tile_dialect::Mnemonic;

/// The page of E0015.
pub(super) static PAGE: Page = Page {
    code: "E0015",
    name: "not-a-value",
    severity: Severity::Error,
    text: r#"The operands of an op are values, whose names start with `%`. A literal is not a value, and neither
is a name without `%`. The literal of a `constant` is written in angle brackets, after its element
type."#,
    fix: r#"Define the literal with `constant` and use its result, as in
`%one = constant <f32: 1.0> : tile<f32>`. If the type after the colon has extents, all elements of
the tile have this value. For a bare name, add the `%`."#,
    see: &["E0101", "E0401", "constant", "literal", "value"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %b = addi %a, 1 : tile<4xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %one = constant <i32: 1> : tile<4xi32>
    %b = addi %a, %one : tile<4xi32>
  }
}
"#,
};

/// A literal or a bare name as an operand.
pub(crate) fn not_a_value(range: Range<u32>, op: Mnemonic, operand: u8, word: &str) -> Diagnostic {
    let row = op.row();
    let operand = row.operands[operand as usize].name;
    let starts_number = word.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    if starts_number || matches!(word, "true" | "false") {
        let message = format!("`{word}` is a literal, but the operand `{operand}` of `{}` must be a value", row.name);
        return Diagnostic::new(&PAGE, range, message).here("expected a value such as `%a`");
    }
    Diagnostic::new(&PAGE, range, format!("`{word}` is not a value: value names start with `%`"))
        .here(format!("expected a value for the operand `{operand}` of `{}`", row.name))
}

/// A literal without its element type and brackets.
pub(crate) fn bare_literal(range: Range<u32>, op: Mnemonic, word: &str) -> Diagnostic {
    let message = format!("the literal `{word}` needs its element type and angle brackets");
    let example = if word.contains('.') { "<f32: 1.0>" } else { "<i32: 1>" };
    Diagnostic::new(&PAGE, range, message).here(format!("`{}` takes a literal such as `{example}`", op.row().name))
}

/// Adds the fix that defines the literal as a constant before the statement at offset `statement`.
pub(crate) fn insert_constant(
    found: Diagnostic,
    statement: u32,
    indent: &str,
    name: &str,
    constant: &str,
) -> Diagnostic {
    let definition = format!("{name} = {constant}");
    let edits = vec![
        Edit { range: statement..statement, content: format!("{definition}\n{indent}") },
        Edit { range: found.range.clone(), content: name.to_string() },
    ];
    found.fix_all(format!("insert `{definition}` before this op and use `{name}`"), edits)
}

/// Adds the fix that puts `%` before the name.
pub(crate) fn write_value(found: Diagnostic, name: &str) -> Diagnostic {
    let range = found.range.clone();
    found.fix(format!("write `%{name}`"), range, format!("%{name}"))
}

/// Adds the fix that gives the literal its element type.
pub(crate) fn element_literal(found: Diagnostic, literal: &str) -> Diagnostic {
    let range = found.range.clone();
    found.fix(format!("write `{literal}`"), range, literal)
}
