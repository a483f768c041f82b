//! R0305: print conversion.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};

/// The page of R0305.
pub(crate) static PAGE: Page = Page {
    code: "R0305",
    name: "print-conversion",
    severity: Severity::Error,
    text: r#"A conversion of a print does not fit the type of its operand, so a GPU prints something else. `%i`,
`%u`, `%x` and similar conversions print integers of up to 32 bits, `%lli`, `%llu`, `%llx` those of
64 bits, `%f`, `%e`, `%g` floats, and `%p` pointers; no tile element fits `%s`. `tile check` reports
the same as L0014, whose page has a table. A sanitized run checks this."#,
    fix: "Use the conversion for the operand's type, or convert the operand.",
    see: &["E0552", "L0014", "print_tko"],
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

/// A conversion without its `%`, which of the operands it prints, that operand's type, and the conversion that fits.
pub(crate) fn fault(written: &str, index: usize, ty: &str, fitting: &str) -> Box<Fault> {
    Fault::new(&PAGE, format!("`%{written}` does not print operand {index} of type `{ty}`: expected `%{fitting}`"))
}
