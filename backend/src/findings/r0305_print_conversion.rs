//! R0305: print conversion.

use super::Fault;
use tile_analysis::diagnostic::{Page, Severity};

/// The page of R0305.
pub(super) static PAGE: Page = Page {
    code: "R0305",
    name: "print-conversion",
    severity: Severity::Error,
    text: r#"A conversion of a print does not fit its operand: `%f` and its like print floats, `%i`, `%u`, `%x` and their like
integers, `%p` pointers, and `%s` nothing that a tile can hold. What is printed then is undefined. This is checked by
runs that sanitize.

Write the conversion of the operand's type, or convert the operand."#,
    wrong: r#"cuda_tile.module @m {
  //@ launch
  entry @k() {
    %n = constant <i32: 1> : tile<i32>
    print_tko "%f\n", %n : tile<i32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  entry @k() {
    %n = constant <i32: 1> : tile<i32>
    print_tko "%i\n", %n : tile<i32> -> token
  }
}
"#,
};

/// A conversion, which of the operands it prints, and that operand's type.
pub(crate) fn fault(letter: u8, index: usize, element: &str, fitting: &str) -> Box<Fault> {
    let letter = char::from(letter);
    Fault::new(&PAGE, format!("`%{letter}` does not print operand {index}, which holds {element}: {fitting} does"))
}
