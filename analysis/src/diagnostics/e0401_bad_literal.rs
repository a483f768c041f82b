//! E0401: bad literal.

use crate::diagnostic::{Diagnostic, Edit, Page, Severity};
use std::ops::Range;

/// The page of E0401.
pub(super) static PAGE: Page = Page {
    code: "E0401",
    name: "bad-literal",
    severity: Severity::Error,
    text: r#"A number is out of range for its element type, or has the wrong form. A float has a decimal point or
is given as its bits in hexadecimal; an integer has no decimal point. Integers can be written as
signed or as unsigned numbers, but an `i64` of 2^63 or more only as the negative number with the
same bits."#,
    fix: r#"Write `1.0` instead of `1` for a float. Write infinity and NaN as bits, such as `0x7F800000` and
`0x7FC00000` for `f32`. If the number is too large, use a wider element type."#,
    see: &["E0402", "E0207", "literal", "constant"],
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

/// An integer for a float, or the reverse.
pub(crate) fn bad_literal(range: Range<u32>, literal: &str, ty: &str, is_float: bool) -> Diagnostic {
    let diagnostic = Diagnostic::new(&PAGE, range.clone(), format!("`{}` is not a valid `{ty}`", clipped(literal)));
    let digits = literal.trim_start_matches('-');
    let (whole, exponent) = digits.split_at(digits.find(['e', 'E']).unwrap_or(digits.len()));
    if is_float && whole.bytes().all(|byte| byte.is_ascii_digit()) {
        let sign = if literal.starts_with('-') { "-" } else { "" };
        let with_dot = format!("{sign}{whole}.0{exponent}");
        return diagnostic.here("a float needs a decimal point").fix(format!("write `{with_dot}`"), range, with_dot);
    }
    diagnostic
}

/// A number that is out of range for its type.
pub(crate) fn literal_range(range: Range<u32>, literal: &str, ty: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{}` does not fit in `{ty}`", clipped(literal)))
}

/// Hexadecimal `i64` numbers of 2^63 and above, which custom form rejects because it reads them as signed: their ranges
/// and their bits.
pub(crate) fn widest_literals(text: &str, wide: Vec<(Range<u32>, u64)>) -> Option<Diagnostic> {
    let (first, _) = wide.first()?.clone();
    let negative = |(range, bits): (Range<u32>, u64)| Edit { range, content: format!("-{:#x}", bits.wrapping_neg()) };
    let found = literal_range(first.clone(), &text[first.start as usize..first.end as usize], "i64")
        .note("an `i64` constant is read as signed, even in hexadecimal");
    Some(found.fix_all("write the negative number with the same bits", wide.into_iter().map(negative).collect()))
}

/// A literal as shown in a message, cut off if it is very long.
fn clipped(literal: &str) -> String {
    match literal.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &literal[..end]),
        None => literal.to_string(),
    }
}
