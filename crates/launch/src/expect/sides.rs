//! Compares the two sides of an expectation element by element.

use super::Tolerance;
use super::report::{Comparison, Heading, Shown};
use crate::error::LaunchError;
use crate::expr::{Array, Data, Expr, Scope};
use crate::shape::{bracketed, broadcast, broadcast_strides};
use tile_dialect::Element;

/// The values on both sides of an expectation.
pub(super) struct Sides {
    shape: Vec<usize>,
    got: Data,
    /// The expected values, as reports show them.
    want: Data,
    /// Whether each element is equal.
    equal: Vec<bool>,
    /// The element type that determines the digits in reports.
    digits: Element,
}

/// The elements on both sides of an expectation, in row-major order.
#[derive(Clone, PartialEq, Debug)]
pub struct ComparedElements {
    /// The extents, outermost first.
    pub shape: Vec<u64>,
    /// The results of the run.
    pub actual: Vec<f64>,
    /// The expected results.
    pub expected: Vec<f64>,
    /// The tolerance; `None` if the elements must be equal.
    pub tolerance: Option<Tolerance>,
}

impl Sides {
    /// The elements as numbers.
    pub(super) fn elements(self, tolerance: Option<Tolerance>) -> ComparedElements {
        let shape = self.shape.iter().map(|&extent| extent as u64).collect();
        ComparedElements { shape, actual: self.got.into_real(), expected: self.want.into_real(), tolerance }
    }

    /// A buffer and a formula, which is rounded to the buffer's element type for exact comparisons.
    pub(super) fn of_output(element: Element, is_exact: bool, got: Array, expected: Array) -> Sides {
        let shape = got.shape().to_vec();
        let (got, expected) = (got.into_data(), expected.into_data());
        let rounded = expected.clone().round_to(element);
        let equal = same(&got, &rounded);
        // Wrapped integers are compared as stored; with a tolerance, the formula's result is compared.
        let want = if is_exact || element.is_int() { rounded } else { expected };
        Sides { shape, got, want, equal, digits: element }
    }

    /// Two formulas, of which neither is rounded. `element` is the least precise element type of the buffers on the
    /// left.
    pub(super) fn of_formulas(element: Element, is_exact: bool, got: Array, expected: Array) -> Sides {
        let shape = got.shape().to_vec();
        let (got, want) = (got.into_data(), expected.into_data());
        let equal = same(&got, &want);
        let is_rounded = |data: &Data| same(data, &data.clone().round_to(element)).into_iter().all(|same| same);
        let needs_few = element.is_float() && is_rounded(&got) && (!is_exact || is_rounded(&want));
        let digits = if needs_few { element } else { Element::F64 };
        Sides { shape, got, want, equal, digits }
    }

    /// Two formulas, one of which is only an approximation with less than the precision of `element`.
    pub(super) fn of_approximations(element: Element, got: Array, expected: Array) -> Sides {
        let digits = if element == Element::F64 { Element::F64 } else { Element::F32 };
        let shape = got.shape().to_vec();
        let [got, want] = [got, expected].map(|side| side.into_data().round_to(digits));
        let equal = same(&got, &want);
        Sides { shape, got, want, equal, digits }
    }

    /// Compares all elements; without a tolerance, they must be equal.
    pub(super) fn compare(self, heading: Heading, tolerance: Option<Tolerance>) -> Comparison {
        let Sides { shape, got, want, equal, digits } = self;
        let mut comparison = Comparison::new(heading, digits, &shape, tolerance.is_some());
        for (place, equal) in equal.into_iter().enumerate() {
            let [got, want] = [&got, &want].map(|data| Shown::of(data, place));
            let passed = equal || tolerance.is_some_and(|tolerance| close(got.to_f64(), want.to_f64(), tolerance));
            comparison.element(place, got, want, passed);
        }
        comparison.finish(&got, &want);
        comparison
    }
}

/// The value of a formula, broadcast to the shape of another array. An error calls the formula and the array `names`.
pub(super) fn evaluated(
    formula: &Expr,
    scope: &Scope<'_>,
    other: &Array,
    names: [&str; 2],
) -> Result<Array, LaunchError> {
    let value = formula.eval(scope)?;
    if value.shape() == other.shape() {
        return Ok(value);
    }
    if broadcast(value.shape(), other.shape()).as_deref() != Some(other.shape()) {
        let [value, other] = [&value, other].map(|array| bracketed(array.shape()));
        let message = format!("the {} has shape {value}, but the {} has shape {other}", names[0], names[1]);
        return Err(LaunchError::new(formula.range(), message));
    }
    let strides = broadcast_strides(value.shape(), other.shape());
    Ok(value.view(0, other.shape().to_vec(), &strides))
}

/// Whether the elements of two arrays are equal, except for the sign of zero and the kind of NaN.
fn same(got: &Data, want: &Data) -> Vec<bool> {
    let is_same = |got: f64, want: f64| got == want || (got.is_nan() && want.is_nan());
    match (got, want) {
        (Data::Whole(got), Data::Whole(want)) => got.iter().zip(want).map(|(got, want)| got == want).collect(),
        (Data::Real(got), Data::Real(want)) => got.iter().zip(want).map(|(&got, &want)| is_same(got, want)).collect(),
        (Data::Real(reals), Data::Whole(wholes)) | (Data::Whole(wholes), Data::Real(reals)) => {
            reals.iter().zip(wholes).map(|(&real, &whole)| is_same(real, whole as f64)).collect()
        }
    }
}

fn close(got: f64, want: f64, tolerance: Tolerance) -> bool {
    // Equal infinities have passed already; a tolerance relative to infinity would accept everything.
    want.is_finite() && (got - want).abs() <= tolerance.atol + tolerance.rtol * want.abs()
}
