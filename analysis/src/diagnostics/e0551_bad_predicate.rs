//! E0551: bad predicate.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::suggest::closest;
use crate::types::Type;
use std::ops::Range;

/// The page of E0551.
pub(super) static PAGE: Page = Page {
    code: "E0551",
    name: "bad-predicate",
    severity: Severity::Error,
    text: r#"The predicate of an `assume` does not exist, has invalid arguments or does not apply to the type of
the value:

- `div_by<D>` applies to integers, pointers and tensor views. D is a power of two up to 2^62.
- `div_by<D, every E along A>` applies to tiles of integers or pointers. A is a dimension of the
  tile, and E is at most its extent.
- `same_elements<[…]>` applies to tiles of integers or pointers. It has one group size for each
  dimension, at most its extent.
- `bounded<low, high>` applies to tiles of integers. The bounds are signed numbers that fit in the
  element type, and `?` omits one."#,
    fix: r#"Correct the predicate, but only state facts: if the assumption is false, the behavior is undefined.
A multiple of 12, for example, is also a multiple of 4, so write `div_by<4>`."#,
    see: &["assume predicate", "assume", "div_by", "bounded", "R0302"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %a = assume div_by<12>, %p : tile<ptr<f32>>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %a = assume div_by<16>, %p : tile<ptr<f32>>
  }
}
"#,
};

/// A divisor that is not a power of two up to 2^62.
pub(crate) fn divisor(range: Range<u32>, divisor: i64) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("divisor {divisor} is not a power of two up to 2^62"))
}

/// An unknown predicate.
pub(crate) fn unknown_predicate(range: Range<u32>, name: &str) -> Diagnostic {
    let foreign = ["divisible_by", "multiple_of", "aligned"].contains(&name).then_some("div_by");
    match foreign.or_else(|| closest(name, ["div_by", "same_elements", "bounded"])) {
        Some(close) => {
            let message = format!("unknown predicate `{name}`; did you mean `{close}`?");
            Diagnostic::new(&PAGE, range.clone(), message).fix(format!("write `{close}`"), range, close)
        }
        None => Diagnostic::new(&PAGE, range, format!("unknown predicate `{name}`"))
            .note("the predicates are `div_by`, `same_elements` and `bounded`"),
    }
}

/// A predicate that does not apply to this type.
pub(crate) fn predicate_type(range: Range<u32>, what: &str, ty: Type) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("this predicate expects {what}, found `{ty}`"))
}

/// Arguments of a predicate that do not suit the type.
pub(crate) fn predicate_range(range: Range<u32>, what: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, what)
}
