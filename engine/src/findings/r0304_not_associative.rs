//! R0304: not associative.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};

/// The page of R0304.
pub(crate) static PAGE: Page = Page {
    code: "R0304",
    name: "not-associative",
    severity: Severity::Error,
    text: r#"The function of a `reduce` or a `scan` gives different results when the same elements are combined in another
way. Both may combine elements in any grouping, and the identity any number of times, so the function must be
associative and the identity must change nothing. A `reduce` may also combine elements in any order, so that its
function must be commutative; a `scan` keeps their order. Else each compiler and each size of tile gives another result.
This is tried out on some of the elements by runs that sanitize. Rounding is allowed for. Whether the results depend on
the identity is looked at for each of them.

NVIDIA's compiler applies the identity in some reductions and not in others. A maximum with its place whose function lets a
NaN lose against the identity (-inf, 0) gives (-inf, 0) for a row of NaN where the identity is applied, and (NaN, 0) where
it is not: let NaN win or lose against everything else.

A function that keeps the first or the last element, or the place of the largest without a rule for equal ones, is not
commutative: reduce the places too, and let the smaller one win. Subtraction, division and means of two are not associative: sum up first, and subtract or divide once behind the
reduction. The identity of a sum is 0, of a product 1, of a maximum the smallest number that there is."#,
    fix: "",
    see: &[],
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

/// Three elements, what they come to when the first two are combined first, and when the last two are.
pub(crate) fn grouping(elements: [String; 3], left: &str, right: &str) -> Box<Fault> {
    let [a, b, c] = elements;
    let message =
        format!("the function is not associative: ({a} ∘ {b}) ∘ {c} is {left}, and {a} ∘ ({b} ∘ {c}) is {right}");
    Fault::new(&PAGE, message).note("elements may be combined in any grouping, so that the result is open")
}

/// Two elements, what they come to in their order, and what in the other one.
pub(crate) fn order(elements: [String; 2], forward: &str, backward: &str) -> Box<Fault> {
    let [a, b] = elements;
    let message = format!("the function is not commutative: {a} ∘ {b} is {forward}, and {b} ∘ {a} is {backward}");
    Fault::new(&PAGE, message).note("a reduction may combine elements in any order, so that the result is open")
}

/// An element that the identity changes.
pub(crate) fn identity(identity: &str, element: &str, combined: &str) -> Box<Fault> {
    let message = format!("the identity {identity} is none: combined with it, {element} becomes {combined}");
    Fault::new(&PAGE, message).note("the identity may be combined any number of times, so that the result is open")
}

/// The identity, and a result without it and with it, at a place of the result.
pub(crate) fn applied(identity: &str, without: &str, with: &str, place: &str) -> Box<Fault> {
    let message = format!(
        "the result depends on whether the identity {identity} is applied: {without} without it, {with} with it{place}"
    );
    Fault::new(&PAGE, message)
        .note("the identity may be combined any number of times or not at all, so that the result is open")
}
