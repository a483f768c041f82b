//! E0015: a literal or a bare name where a value or a typed literal belongs.

use crate::diagnostic::{Diagnostic, Edit, Page, Severity};
use std::ops::Range;
use tile_dialect::Mnemonic;

/// The page of E0015.
pub(super) static PAGE: Page = Page {
    code: "E0015",
    name: "not-a-value",
    severity: Severity::Error,
    text: r#"A literal or a bare name is used as an operand. The operands of an op are values, whose names start
with `%`; a number becomes a value with `constant`."#,
    fix: r#"- Define a constant and use it: `%one = constant <f32: 1.0> : tile<f32>`. The type after the colon
  can be that of a larger tile, whose elements then all have this number.
- If a value of that name exists, add the missing `%`."#,
    see: &["E0101", "E0401", "constant", "literal"],
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

/// A literal or a bare name in the place of an operand.
pub(crate) fn not_a_value(range: Range<u32>, op: Mnemonic, operand: u8, word: &str) -> Diagnostic {
    let row = op.row();
    let operand = row.operands[operand as usize].name;
    let starts_number = word.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    if starts_number || matches!(word, "true" | "false") {
        let message = format!("`{word}` is a literal, but the operand `{operand}` of `{}` must be a value", row.name);
        return Diagnostic::new(&PAGE, range, message).here("expected a value such as `%a`");
    }
    Diagnostic::new(&PAGE, range, format!("`{word}` is not a value: the names of values start with `%`"))
        .here(format!("expected a value for the operand `{operand}` of `{}`", row.name))
}

/// A literal without its element type and brackets.
pub(crate) fn bare_literal(range: Range<u32>, op: Mnemonic, word: &str) -> Diagnostic {
    let message = format!("the literal `{word}` needs its element type and angle brackets");
    let example = if word.contains('.') { "<f32: 1.0>" } else { "<i32: 1>" };
    Diagnostic::new(&PAGE, range, message).here(format!("`{}` takes a literal such as `{example}`", op.row().name))
}

/// Offers the constant that the literal stands for, inserted before the statement at `statement`.
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

/// Offers the value that has the bare name.
pub(crate) fn write_value(found: Diagnostic, name: &str) -> Diagnostic {
    let range = found.range.clone();
    found.fix(format!("write `%{name}`"), range, format!("%{name}"))
}

/// Offers the literal with its element type.
pub(crate) fn element_literal(found: Diagnostic, literal: &str) -> Diagnostic {
    let range = found.range.clone();
    found.fix(format!("write `{literal}`"), range, literal)
}
