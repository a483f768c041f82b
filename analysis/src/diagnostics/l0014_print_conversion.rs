//! L0014: print conversion.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;

/// The page of L0014.
pub(super) static PAGE: Page = Page {
    code: "L0014",
    name: "print-conversion",
    severity: Severity::Warning,
    text: r#"A conversion of a print does not fit the type of its operand. NVIDIA's compiler passes operands to
`printf` as C does and does not compare them with the format, so a GPU prints something else: `%i`
of an `i64` prints its lower half, and the next conversion continues with the upper one.

Narrow integers are sign-extended to 32 bits, so `%u` of the `i8` -1 prints 4294967295; a true `i1`
prints 1. The CPU engine uses the letter that suits the operand if that of the format does not fit.
`tile run --target cuda` passes corrected formats to the compiler, and prints the same. Other
programs that launch the kernel do not, which is why this is a warning."#,
    fix: r#"Use a conversion for the type of the operand:

| operand | conversions |
|---|---|
| `i1`, `i4`, `i8`, `i16`, `i32` | `%d` `%i` `%u` `%o` `%x` `%X` `%c`; `i8` and `i16` also with `h` |
| `i64` | `%lld` `%lli` `%llu` `%llo` `%llx` `%llX` |
| every float type | `%f` `%e` `%g` `%a`, or in capitals |
| pointers | `%p` |"#,
    see: &["E0552", "L0002", "print_tko"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%n: tile<i64>, %x: tile<f32>) {
    print_tko "%i %i\n", %n, %x : tile<i64>, tile<f32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%n: tile<i64>, %x: tile<f32>) {
    print_tko "%lli %f\n", %n, %x : tile<i64>, tile<f32> -> token
  }
}
"#,
};

/// A conversion that does not fit the type of its operand, and the one that does.
pub(crate) fn print_conversion(range: Range<u32>, written: &str, ty: Type, fitting: String) -> Diagnostic {
    let message = format!("`{written}` does not print `{ty}`: expected `{fitting}`");
    Diagnostic::new(&PAGE, range.clone(), message).safe_fix(format!("write `{fitting}`"), range, fitting)
}
