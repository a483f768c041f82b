//! R0304: not associative.

use super::Fault;
use tile_analysis::diagnostic::{Page, Severity};

/// The page of R0304.
pub(super) static PAGE: Page = Page {
    code: "R0304",
    name: "not-associative",
    severity: Severity::Error,
    text: r#"The function of a `reduce` or a `scan` gives different results when the same elements are combined in another
order. Both may combine elements in any grouping, and the identity any number of times, so the function must be
associative and the identity must change nothing; else each compiler and each size of tile gives another result. This
is tried out on some of the elements by runs that sanitize. Rounding is allowed for.

Subtraction, division and means of two are not associative: sum up first, and subtract or divide once behind the
reduction. The identity of a sum is 0, of a product 1, of a maximum the smallest number that there is."#,
    wrong: r#"cuda_tile.module @m {
  //@ launch
  entry @k() {
    %i = iota : tile<8xi32>
    %r = reduce %i dim = 0 identities = [0 : i32] : tile<8xi32> -> tile<i32>
    (%x: tile<i32>, %acc: tile<i32>) {
      %d = subi %acc, %x : tile<i32>
      yield %d : tile<i32>
    }
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  entry @k() {
    %i = iota : tile<8xi32>
    %sum = reduce %i dim = 0 identities = [0 : i32] : tile<8xi32> -> tile<i32>
    (%x: tile<i32>, %acc: tile<i32>) {
      %s = addi %acc, %x : tile<i32>
      yield %s : tile<i32>
    }
    %r = negi %sum : tile<i32>
  }
}
"#,
};

/// Three elements, what they come to when the first two are combined first, and when the last two are.
pub(crate) fn grouping(elements: [String; 3], left: &str, right: &str) -> Box<Fault> {
    let [a, b, c] = elements;
    let message =
        format!("the function is not associative: ({a} ∘ {b}) ∘ {c} is {left}, and {a} ∘ ({b} ∘ {c}) is {right}");
    Fault::new(&PAGE, message).note("elements may be combined in any grouping, so that the result is open")
}

/// An element that the identity changes.
pub(crate) fn identity(identity: &str, element: &str, combined: &str) -> Box<Fault> {
    let message = format!("the identity {identity} is none: combined with it, {element} becomes {combined}");
    Fault::new(&PAGE, message).note("the identity may be combined any number of times, so that the result is open")
}
