//! L0014: print conversion.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;

/// The page of L0014.
pub(super) static PAGE: Page = Page {
    code: "L0014",
    name: "print-conversion",
    severity: Severity::Warning,
    text: r#"A conversion in a format does not match the type of its operand. NVIDIA's compiler passes operands
to `printf` as C does and does not check them against the format, so a GPU prints something else.
For example, `%i` of an `i64` prints its lower half, and the next conversion continues with the
upper half.

Narrow integers are sign-extended to 32 bits, so `%u` of the `i8` -1 prints 4294967295; a true `i1`
prints 1. The CPU engine and `tile run --target cuda` choose a matching conversion and print the
operand correctly. Other programs that launch the kernel do not."#,
    fix: r#"Use a conversion that matches the operand:

| operand | conversions |
|---|---|
| `i1` to `i32` | `%d` `%i` `%u` `%o` `%x` `%X` `%c`; `i8` and `i16` also with `h` |
| `i64` | `%lld` `%lli` `%llu` `%llo` `%llx` `%llX` |
| floats | `%f` `%e` `%g` `%a`, or in capitals |
| pointers | `%p` |"#,
    see: &["E0552", "L0002", "R0305", "print_tko"],
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

/// A conversion that does not match the type of its operand; `fitting` is one that does.
pub(crate) fn print_conversion(range: Range<u32>, written: &str, ty: Type, fitting: String) -> Diagnostic {
    let message = format!("`{written}` does not match operand type `{ty}`: expected `{fitting}`");
    Diagnostic::new(&PAGE, range.clone(), message).safe_fix(format!("write `{fitting}`"), range, fitting)
}
