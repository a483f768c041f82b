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
    text: r#"The predicate of an `assume` is malformed or does not fit the type. The predicates are `div_by<D>`,
`div_by<D, every E along A>`, `same_elements<[…]>` and `bounded<low, high>`, and a divisor is a
power of two up to 2^62. `div_by` applies to integers and pointers, the others to integers."#,
    fix: "Write one of these predicates. `tile doc assume` shows examples.",
    see: &["R0501", "assume", "div_by", "bounded"],
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

/// A divisor that is not a power of two.
pub(crate) fn divisor(range: Range<u32>, divisor: i64) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("the divisor {divisor} is not a power of two up to 2^62"))
}

/// A name that is not a predicate.
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

/// A predicate that says nothing about this type.
pub(crate) fn predicate_type(range: Range<u32>, what: &str, ty: Type) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("this predicate expects {what}, found `{ty}`"))
}

/// Numbers of a predicate that do not fit the type.
pub(crate) fn predicate_range(range: Range<u32>, what: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, what)
}
