//! The derivative of a function that is computed in limited precision, by finite differences.
//!
//! A central difference `(f(x + h) - f(x - h)) / 2h` has two errors: one of order `h²` because `f` is not linear, and
//! one of order `ε |f| / h` because `f` is rounded. The best step `h` balances them, but depends on the derivatives of
//! `f`, which are not known. Therefore several steps are tried, and Richardson extrapolation removes the leading powers
//! of `h²` from their differences: the error is of order `h⁴` with two steps, `h⁶` with three. As in Ridders' method
//! (*Accurate computation of F'(x) and F'(x) F''(x)*, 1982), the estimate that agrees best with those of lower order is
//! taken, and its disagreement estimates its error.
//!
//! The steps are powers of 2, so that `x + h` and `x - h` can be represented, also after a kernel has rounded them to a
//! narrower type. The first one is about a quarter of the scale of `x`. As long as the error is too large, a larger
//! step is tried if rounding causes it, otherwise a smaller one. Linear and quadratic functions need two steps, most
//! others three or four.
//!
//! The largest relative error for a sum of `x²`, `tanh(x)`, `exp(x)` or `1/√x` with `x` around 1, which a test checks:
//!
//! | precision | 8 terms | 64 terms |
//! |---|---|---|
//! | `f64` | 1e-8 | 1e-8 |
//! | `f32` | 1e-4 | 1e-3 |
//! | `f16`, with the sum in `f32` | 2e-2 | 5e-2 |
//! | `f16` | 0.2 | 0.4 |
//! | `bf16`, with the sum in `f32` | 5e-2 | 0.2 |

/// The ratio of neighboring steps.
const RATIO: f64 = 2.0;

/// The first step, relative to the scale.
const FIRST: f64 = 0.25;

/// The largest step, relative to the scale.
const LARGEST: f64 = 4.0;

/// The maximum number of steps that are tried.
const MAX_STEPS: usize = 20;

/// The maximum number of powers of `h²` that are removed.
const MAX_ORDER: usize = 4;

/// A central difference.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// The step: half the distance of the two points.
    pub(super) step: f64,
    /// The difference of the values, divided by the distance of the points.
    pub(super) slope: f64,
    /// A bound on the error of the slope that the rounding of the values causes.
    pub(super) rounding: f64,
    /// Whether the values at the two points differ from the value between them.
    pub(super) changed: [bool; 2],
}

/// A derivative.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Derivative {
    /// Its value.
    pub(super) value: f64,
    /// An estimate of its absolute error.
    pub(super) error: f64,
}

/// The steps that suit a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// The size of typical values of `x`.
    pub(super) typical: f64,
    /// The smallest step, below which the points cannot be represented accurately.
    pub(super) smallest: f64,
}

/// Determines a derivative. `sample` returns the central difference for a step, or `None` if it is not finite.
/// `allowed` is the error that suffices, given the derivative. Returns `None` if no difference is finite.
pub(super) fn derivative<E>(
    scale: Scale,
    allowed: impl Fn(f64) -> f64,
    mut sample: impl FnMut(f64) -> Result<Option<Sample>, E>,
) -> Result<Option<Derivative>, E> {
    let mut search = Search { scale, samples: Vec::new(), too_large: f64::INFINITY, too_small: 0.0 };
    let mut next = Some((FIRST * scale.typical).log2().round().exp2());
    for _ in 0..MAX_STEPS {
        let Some(step) = next else { break };
        match sample(step)? {
            Some(sample) => search.insert(sample),
            // A smaller step may stay within the domain of the function.
            None => search.too_large = search.too_large.min(step),
        }
        next = search.next(step, &allowed);
    }
    Ok(extrapolate(&search.samples))
}

/// The steps so far.
struct Search {
    scale: Scale,
    /// The samples, in descending order of their steps.
    samples: Vec<Sample>,
    /// A step from which on the function is not finite.
    too_large: f64,
    /// A step so small that rounding of `x` in the kernel hides it.
    too_small: f64,
}

impl Search {
    fn insert(&mut self, sample: Sample) {
        let place = self.samples.partition_point(|other| other.step > sample.step);
        self.samples.insert(place, sample);
        if self.samples.iter().any(|sample| sample.changed == [true; 2]) {
            // If small steps change nothing although larger ones change the values on both sides, the kernel rounds the
            // change away. On a constant piece of a function such as `max(x, 0)`, one side would be constant too.
            let hidden = self.samples.iter().filter(|sample| sample.changed == [false; 2]);
            self.too_small = hidden.map(|sample| sample.step).fold(self.too_small, f64::max);
            self.samples.retain(|sample| sample.changed != [false; 2]);
        }
    }

    /// The next step to try after `last`; `None` if the derivative is accurate enough or cannot be improved.
    fn next(&self, last: f64, allowed: &impl Fn(f64) -> f64) -> Option<f64> {
        let (Some(largest), Some(smallest)) = (self.samples.first(), self.samples.last()) else {
            return self.smaller(last);
        };
        let best = extrapolate(&self.samples)?;
        if best.error <= allowed(best.value) {
            return None;
        }
        if self.samples.len() == 1 {
            return self.smaller(last);
        }
        if largest.rounding > allowed(best.value)
            && let Some(step) = self.larger(largest.step)
        {
            return Some(step);
        }
        // With an even smaller step, the rounding error alone would exceed the error so far.
        if smallest.rounding * RATIO < best.error { self.smaller(smallest.step) } else { None }
    }

    fn smaller(&self, step: f64) -> Option<f64> {
        let step = step / RATIO;
        (step >= self.scale.smallest && step > self.too_small).then_some(step)
    }

    fn larger(&self, step: f64) -> Option<f64> {
        let step = step * RATIO;
        (step <= LARGEST * self.scale.typical && step < self.too_large).then_some(step)
    }
}

/// Extrapolates the slopes to a step of 0. `samples` are in descending order of their steps.
fn extrapolate(samples: &[Sample]) -> Option<Derivative> {
    let first = samples.first()?;
    let mut best = Derivative { value: first.slope, error: f64::INFINITY };
    // The row of Neville's scheme for the polynomial in h² through the samples up to the previous one.
    let mut before: Vec<f64> = Vec::new();
    for (place, sample) in samples.iter().enumerate() {
        let mut row = vec![sample.slope];
        for order in 1..=place.min(MAX_ORDER) {
            let ratio = samples[place - order].step / sample.step;
            let (lower, other) = (row[order - 1], before[order - 1]);
            let value = lower + (lower - other) / (ratio * ratio - 1.0);
            let error = (value - lower).abs().max((value - other).abs()).max(sample.rounding);
            if error < best.error {
                best = Derivative { value, error };
            }
            row.push(value);
        }
        before = row;
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tile_analysis::number::round_to;
    use tile_dialect::Element;
    use tile_launch::gradient::spacing;

    const SCALE: Scale = Scale { typical: 1.0, smallest: 1e-9 };

    /// The derivative of `f` and the number of steps. The spacing is that of arguments and of values.
    fn differentiate(f: impl Fn(f64) -> f64, x: f64, spacing: [f64; 2]) -> (Option<Derivative>, usize) {
        differentiate_within(f, x, spacing, [1e-6, 1e-7])
    }

    /// The same, within a relative and an absolute error.
    fn differentiate_within(
        f: impl Fn(f64) -> f64,
        x: f64,
        spacing: [f64; 2],
        [relative, absolute]: [f64; 2],
    ) -> (Option<Derivative>, usize) {
        let mut steps = 0;
        let sample = |step: f64| {
            steps += 1;
            let [low, high, middle] = [f(x - step), f(x + step), f(x)];
            let slope = (high - low) / (2.0 * step);
            Ok::<_, ()>(slope.is_finite().then(|| Sample {
                step,
                slope,
                rounding: (spacing[0] * slope).abs().max(spacing[1] * high.abs().max(low.abs())) / (2.0 * step),
                changed: [low != middle, high != middle],
            }))
        };
        let allowed = |value: f64| absolute + relative * value.abs();
        (derivative(SCALE, allowed, sample).expect("no run fails"), steps)
    }

    /// Asserts that a derivative is accurate, and that its error is estimated.
    #[track_caller]
    fn is_near(f: impl Fn(f64) -> f64, x: f64, expected: f64, most_steps: usize) {
        let (found, steps) = differentiate(f, x, [f64::EPSILON; 2]);
        let found = found.expect("a derivative");
        assert!((found.value - expected).abs() <= 1e-6 * (1.0 + expected.abs()), "{found:?}");
        assert!(found.error < 1e-6 * (1.0 + expected.abs()) && steps <= most_steps, "{found:?} in {steps} steps");
    }

    #[test]
    fn smooth_functions_need_few_steps() {
        is_near(|x| 3.0 * x - 1.0, 0.7, 3.0, 2);
        is_near(|x| x * x, 0.7, 1.4, 2);
        is_near(f64::exp, 0.3, 0.3f64.exp(), 5);
        is_near(f64::sin, 1.0, 1.0f64.cos(), 5);
        is_near(|_| 5.0, 1.0, 0.0, 2);
    }

    /// The largest relative error of the derivatives of `sum(f(x))`. The terms are rounded to the first element type,
    /// the sum to the second one. The error of the finite differences may be `within` these.
    fn worst(elements: [Element; 2], terms: usize, within: [f64; 2], f: Function, slope: Function) -> f64 {
        let [round, round_sum] = elements.map(|element| move |value: f64| round_to(element, value));
        let xs: Vec<f64> = (0..terms).map(|term| round(0.2 + 1.7 * (term as f64 * 0.618).fract())).collect();
        let errors = xs.iter().enumerate().map(|(place, &x)| {
            let sum = |value: f64| {
                let term = |other: usize| round(f(round(if other == place { value } else { xs[other] })));
                (0..terms).map(term).fold(0.0, |sum, term| round_sum(sum + term))
            };
            let spacing = elements.map(|element| spacing(element).expect("a float type"));
            let found = differentiate_within(sum, x, spacing, within).0.expect("a derivative");
            (found.value / slope(x) - 1.0).abs()
        });
        errors.fold(0.0, f64::max)
    }

    type Function = fn(f64) -> f64;

    #[test]
    fn the_documented_accuracy_is_reached() {
        let functions: [(Function, Function); 4] = [
            (|x| x * x, |x| 2.0 * x),
            (f64::tanh, |x| 1.0 - x.tanh() * x.tanh()),
            (f64::exp, f64::exp),
            (|x| 1.0 / x.sqrt(), |x| -0.5 * x.powf(-1.5)),
        ];
        // Within a tenth of the default tolerances.
        for (elements, within, limits) in [
            ([Element::F64; 2], [1e-7, 1e-9], [1e-8, 1e-8]),
            ([Element::F32; 2], [1e-4, 1e-5], [1e-4, 1e-3]),
            ([Element::F16, Element::F32], [2e-3, 2e-4], [2e-2, 5e-2]),
            ([Element::F16; 2], [2e-3, 2e-4], [0.2, 0.4]),
            ([Element::BF16, Element::F32], [1e-2, 1e-3], [5e-2, 0.2]),
        ] {
            for (terms, limit) in [8, 64].into_iter().zip(limits) {
                let worst = functions.map(|(f, slope)| worst(elements, terms, within, f, slope));
                assert!(worst.iter().all(|worst| *worst <= limit), "{elements:?} {terms}: {worst:?}");
            }
        }
    }

    #[test]
    fn steps_shrink_until_they_are_within_the_domain() {
        is_near(f64::ln, 0.01, 100.0, 13);
        is_near(f64::sqrt, 0.02, 0.5 / 0.02f64.sqrt(), 13);
        assert_eq!(differentiate(|_| f64::NAN, 1.0, [0.0; 2]).0, None);
    }

    #[test]
    fn steps_shrink_until_they_exclude_a_kink() {
        for (x, slope) in [(0.01, 1.0), (-0.01, 0.0), (0.3, 1.0), (-0.2, 0.0)] {
            is_near(|x| x.max(0.0), x, slope, 12);
        }
    }

    #[test]
    fn steps_grow_if_rounding_dominates() {
        let rounded = |x: f64| f64::from((1000.0 + x * x) as f32);
        let (found, _) = differentiate(rounded, 0.5, [0.0, 2f64.powi(-23)]);
        let found = found.expect("a derivative");
        // With the first step, rounding alone causes an error of 1e-4.
        assert!((found.value - 1.0).abs() < 4e-5 && (1e-6..2e-4).contains(&found.error), "{found:?}");
    }

    #[test]
    fn a_function_that_rounds_its_argument_is_differentiable() {
        let tf32 = |x: f64| f64::from(f32::from_bits(((x as f32).to_bits() + 0x1000) & !0x1FFF));
        for x in [0.7, 1.3, 0.123, -3.21] {
            let found = differentiate(|x| tf32(x) * tf32(x), x, [2f64.powi(-23); 2]).0.expect("a derivative");
            assert!((found.value - 2.0 * x).abs() < 1e-3 * x.abs(), "{x}: {found:?}");
        }
    }

    #[test]
    fn a_change_that_the_function_rounds_away_does_not_give_0() {
        let coarse = |x: f64| (x.exp() * 64.0).round() / 64.0;
        for x in [0.7, 0.8, 0.9, 1.0] {
            let found = differentiate(coarse, x, [0.0; 2]).0.expect("a derivative");
            assert!((found.value / x.exp() - 1.0).abs() < 0.1, "{found:?}");
        }
    }
}
