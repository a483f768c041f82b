//! R0304: not associative.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};

/// The page of R0304.
pub(crate) static PAGE: Page = Page {
    code: "R0304",
    name: "not-associative",
    severity: Severity::Error,
    text: r#"The function of a `reduce` or a `scan` gives different results when the same elements are combined
differently. Elements can be combined in any grouping, and the identity any number of times, so the
function must be associative, and the identity must not change an element. A `reduce` can also
combine elements in any order, so its function must be commutative. Otherwise the result depends on
the compiler and on the tile size. A sanitized run tries this on samples and allows for rounding; it
compares every result with and without the identity. The identities of several operands are one
identity together: for a maximum with its index, (-inf, 0) changes no element, but (0, 0) changes
negative ones. An element with the same first operand as the identity, such as padding, may become
the identity if no result depends on it.

NVIDIA's compiler applies the identity in some reductions and not in others. For example, a maximum
with its index whose function lets a NaN lose against the identity (-inf, 0) gives (-inf, 0) for a
row of NaN if the identity is applied, and (NaN, 0) if not."#,
    fix: r#"- A function that keeps the first or the last element, or the index of the largest without a rule
  for equal ones, is not commutative: reduce the indices too, and prefer the smaller one.
- Subtraction, division and means of two are not associative: compute the sum first, and subtract or
  divide once after the reduction.
- Let NaN win or lose against everything, including the identity.
- The identity of a sum is 0, of a product 1, and of a maximum the smallest number of the type."#,
    see: &["E0605", "E0608", "reduce", "scan"],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  entry @k() {
    %i = iota : tile<8xi32>
    %r = reduce %i dim = 0 identities = [0 : i32] : tile<8xi32> -> tile<i32>
    (%acc: tile<i32>, %x: tile<i32>) {
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
    (%acc: tile<i32>, %x: tile<i32>) {
      %s = addi %acc, %x : tile<i32>
      yield %s : tile<i32>
    }
    %r = negi %sum : tile<i32>
  }
}
"#,
};

/// Three elements, and the results of combining the first two or the last two first.
pub(crate) fn grouping(elements: [String; 3], left: &str, right: &str) -> Box<Fault> {
    let [a, b, c] = elements;
    let message =
        format!("the function is not associative: ({a} ∘ {b}) ∘ {c} is {left}, and {a} ∘ ({b} ∘ {c}) is {right}");
    Fault::new(&PAGE, message).note("elements can be combined in any grouping, so the result is unspecified")
}

/// Two elements, and the results in this order and in the reverse order.
pub(crate) fn order(elements: [String; 2], forward: &str, backward: &str) -> Box<Fault> {
    let [a, b] = elements;
    let message = format!("the function is not commutative: {a} ∘ {b} is {forward}, and {b} ∘ {a} is {backward}");
    Fault::new(&PAGE, message).note("a reduction can combine elements in any order, so the result is unspecified")
}

/// An element that the identity changes.
pub(crate) fn identity(identity: &str, element: &str, combined: &str) -> Box<Fault> {
    let message = format!("{identity} is not an identity: combined with it, {element} becomes {combined}");
    Fault::new(&PAGE, message).note("the identity can be combined any number of times, so the result is unspecified")
}

/// The identity, and a result without it and with it, at a place of the result.
pub(crate) fn applied(identity: &str, without: &str, with: &str, place: &str) -> Box<Fault> {
    let message = format!(
        "the result depends on whether the identity {identity} is applied: {without} without it, {with} with it{place}"
    );
    Fault::new(&PAGE, message)
        .note("the identity can be combined any number of times or not at all, so the result is unspecified")
}
