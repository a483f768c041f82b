//! E0401: bad literal.

use crate::diagnostic::{Diagnostic, Edit, Page, Severity};
use std::ops::Range;

/// The page of E0401.
pub(super) static PAGE: Page = Page {
    code: "E0401",
    name: "bad-literal",
    severity: Severity::Error,
    text: r#"A literal does not fit its element type: it is out of range or of the wrong kind. Floats are written
with a decimal point, or as their bits in hexadecimal; integers without a point. Integers can be
written as signed or as unsigned, except that an `i64` beyond 2^63 is written as the negative number
with the same bits."#,
    fix: "Write `1.0` for a float and `1` for an integer, or choose an element type with a larger range.",
    see: &["E0015", "E0402", "literal", "constant"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <f32: 1> : tile<f32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <f32: 1.0> : tile<f32>
  }
}
"#,
};

/// An integer for a float, or the other way round.
pub(crate) fn bad_literal(range: Range<u32>, literal: &str, ty: &str, is_float: bool) -> Diagnostic {
    let diagnostic = Diagnostic::new(&PAGE, range.clone(), format!("`{}` is not a valid `{ty}`", clipped(literal)));
    let digits = literal.trim_start_matches('-');
    let (whole, exponent) = digits.split_at(digits.find(['e', 'E']).unwrap_or(digits.len()));
    if is_float && whole.bytes().all(|byte| byte.is_ascii_digit()) {
        let sign = if literal.starts_with('-') { "-" } else { "" };
        let with_dot = format!("{sign}{whole}.0{exponent}");
        return diagnostic.here("a float is written with a dot").fix(format!("write `{with_dot}`"), range, with_dot);
    }
    diagnostic
}

/// A number that does not fit.
pub(crate) fn literal_range(range: Range<u32>, literal: &str, ty: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{}` does not fit into `{ty}`", clipped(literal)))
}

/// Hexadecimal numbers of type `i64` above the largest one, which custom form reads as signed: their ranges and their
/// bits.
pub(crate) fn widest_literals(text: &str, wide: Vec<(Range<u32>, u64)>) -> Option<Diagnostic> {
    let (first, _) = wide.first()?.clone();
    let negative = |(range, bits): (Range<u32>, u64)| Edit { range, content: format!("-{:#x}", bits.wrapping_neg()) };
    let found = literal_range(first.clone(), &text[first.start as usize..first.end as usize], "i64")
        .note("a constant of `i64` is read as signed, in hexadecimal too");
    Some(found.fix_all("write the negative number with the same bits", wide.into_iter().map(negative).collect()))
}

/// A literal for a message: its beginning, where it is very long.
fn clipped(literal: &str) -> String {
    match literal.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &literal[..end]),
        None => literal.to_string(),
    }
}
