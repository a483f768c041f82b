//! R0302: broken assumption.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};

/// The page of R0302.
pub(crate) static PAGE: Page = Page {
    code: "R0302",
    name: "broken-assumption",
    severity: Severity::Error,
    text: r#"An `assume` states something about a value that does not hold. The compiler relies on it, for
example to use wider loads or to omit checks, so the behavior of the kernel is undefined. An
ordinary run trusts assumptions, like a GPU; a sanitized run checks them."#,
    fix: r#"If the value is an argument, correct either the launch or the assumption. Pointers of a launch are
multiples of 256; the extents and strides of buffers are those in the launch."#,
    see: &["E0551", "R0303", "assume", "div_by"],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  //@   %n = 100
  entry @k(%n: tile<i32>) {
    %m = assume div_by<16>, %n : tile<i32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  //@   %n = 112
  entry @k(%n: tile<i32>) {
    %m = assume div_by<16>, %n : tile<i32>
  }
}
"#,
};

/// A number that is not divisible.
pub(crate) fn divisor(divisor: u64, value: String, place: &str) -> Box<Fault> {
    Fault::new(&PAGE, format!("{value}{place} is not divisible by {divisor}"))
}

/// The base of a view that is not divisible.
pub(crate) fn base(divisor: u64, base: &str) -> Box<Fault> {
    Fault::new(&PAGE, format!("{base}, the base of the view, is not divisible by {divisor}"))
}

/// A number outside its bounds.
pub(crate) fn bounds(value: i64, low: Option<i64>, high: Option<i64>, place: &str) -> Box<Fault> {
    let bounds = match (low, high) {
        (Some(low), Some(high)) => format!("between {low} and {high}"),
        (Some(low), None) => format!("at least {low}"),
        (_, high) => format!("at most {}", high.unwrap_or(i64::MAX)),
    };
    Fault::new(&PAGE, format!("{value}{place} is not {bounds}"))
}

/// A number that does not count up from the first one of its group.
pub(crate) fn count(found: String, expected: String, every: i64, along: usize, place: &str) -> Box<Fault> {
    let message = format!("{found}{place} should be {expected}: groups of {every} along dimension {along} count up");
    Fault::new(&PAGE, message)
}

/// A number that differs from the first one of its group.
pub(crate) fn group(found: String, expected: String, sizes: &[i64], place: &str) -> Box<Fault> {
    Fault::new(&PAGE, format!("{found}{place} should be {expected}: groups of {sizes:?} have equal elements"))
}
