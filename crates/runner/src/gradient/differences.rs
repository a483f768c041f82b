//! Central differences of the outputs of a kernel with respect to the elements of a buffer.

use super::derivative::{Derivative, Sample, Scale, derivative};
use tile_analysis::number::{encode, round_to};
use tile_dialect::Element;
use tile_launch::Buffer;
use tile_launch::gradient::spacing;

/// The smallest step, in units of the spacing of numbers at `x`.
const MIN_UNITS: f64 = 4.0;

/// The outputs of a kernel, whose weighted sum is differentiated.
pub(super) struct Outputs {
    /// The weight of each output.
    pub(super) weights: Vec<f64>,
    /// The relative distance of neighboring numbers of their element type.
    pub(super) spacing: f64,
}

/// A change of an element of the input.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Change {
    /// Its index in row-major order.
    pub(super) place: usize,
    /// Its value before.
    pub(super) from: f64,
    /// Its value now.
    pub(super) to: f64,
}

/// The reason why a gradient is unknown.
#[derive(PartialEq, Debug)]
pub(super) enum Failure<E> {
    /// A run failed.
    Run(E),
    /// An element of the input is not finite: its index and its value.
    Input(usize, f64),
    /// The sum of the outputs is not finite.
    Output,
    /// The sum of the outputs is not finite if this element changes slightly.
    Neighborhood(usize),
}

/// Differentiates the weighted sum of the outputs by each element of `input`, in row-major order. `run` returns the
/// outputs for an input, in which one element may have changed. `allowed` is the error that suffices for a derivative.
pub(super) fn gradient<E>(
    input: &Buffer,
    outputs: &Outputs,
    allowed: impl Fn(f64) -> f64,
    mut run: impl FnMut(&Buffer, Option<Change>) -> Result<Vec<f64>, E>,
) -> Result<Vec<Derivative>, Failure<E>> {
    let values = input.values().unwrap_or_default();
    if let Some(place) = values.iter().position(|value| !value.is_finite()) {
        return Err(Failure::Input(place, values[place]));
    }
    let unchanged = run(input, None).map_err(Failure::Run)?;
    if !outputs.difference(&unchanged, &vec![0.0; unchanged.len()]).is_finite() {
        return Err(Failure::Output);
    }
    let squares: f64 = values.iter().map(|value| value * value).sum();
    let root_mean_square = (squares / values.len().max(1) as f64).sqrt();
    let spacing = spacing(input.element).unwrap_or(0.0);
    let mut differences = Differences { input: input.clone(), spacing, outputs, unchanged, run };
    let mut derivatives = Vec::with_capacity(values.len());
    for (place, (position, &value)) in input.positions().zip(&values).enumerate() {
        // The size of the element itself does not suffice, because it can be 0.
        let typical = value.abs().max(root_mean_square);
        let element = Changed { place, position, value, typical: if typical == 0.0 { 1.0 } else { typical } };
        let scale = Scale { typical: element.typical, smallest: MIN_UNITS * spacing * value.abs() };
        let found = derivative(scale, &allowed, |step| differences.sample(&element, step));
        derivatives.push(found.map_err(Failure::Run)?.ok_or(Failure::Neighborhood(place))?);
    }
    Ok(derivatives)
}

/// An element of the input that is changed.
struct Changed {
    /// Its index in row-major order.
    place: usize,
    /// Its position in memory, in elements.
    position: usize,
    /// Its unchanged value.
    value: f64,
    /// The size of typical values.
    typical: f64,
}

/// The two points around `x` at a distance of about `step`, rounded to the element type. The distance is adjusted so
/// that they have, if possible, the same distance. `None` if they exceed the range of the element type.
fn points(element: Element, x: f64, step: f64) -> Option<[f64; 2]> {
    let away = if x < 0.0 { -1.0 } else { 1.0 };
    // The numbers around the outer point have the larger spacing.
    let outer = round_to(element, x + away * step);
    let inner = round_to(element, x - (outer - x));
    let [below, above] = if x < 0.0 { [outer, inner] } else { [inner, outer] };
    ((above - below).is_finite() && below < above).then_some([below, above])
}

/// Runs of a kernel with a changed element.
struct Differences<'a, R> {
    input: Buffer,
    /// The relative distance of neighboring numbers of the input's element type.
    spacing: f64,
    outputs: &'a Outputs,
    /// The outputs for the unchanged input.
    unchanged: Vec<f64>,
    run: R,
}

impl<E, R: FnMut(&Buffer, Option<Change>) -> Result<Vec<f64>, E>> Differences<'_, R> {
    /// The central difference for an element; `None` if it is not finite.
    fn sample(&mut self, element: &Changed, step: f64) -> Result<Option<Sample>, E> {
        let Some([below, above]) = points(self.input.element, element.value, step) else { return Ok(None) };
        let low = self.run_with(element, below)?;
        let high = self.run_with(element, above)?;
        let (outputs, distance) = (self.outputs, above - below);
        let slope = outputs.difference(&high, &low) / distance;
        // The kernel may round the terms that depend on this element to the element type of the input.
        let of_terms = (slope * element.typical).abs() * self.spacing;
        let rounding = outputs.rounding(&high, &low).max(of_terms) / distance;
        let changed = [&low, &high].map(|changed| outputs.differ(changed, &self.unchanged));
        Ok(slope.is_finite().then_some(Sample { step: distance / 2.0, slope, rounding, changed }))
    }

    fn run_with(&mut self, element: &Changed, to: f64) -> Result<Vec<f64>, E> {
        self.put(element.position, to);
        let outputs = (self.run)(&self.input, Some(Change { place: element.place, from: element.value, to }));
        self.put(element.position, element.value);
        outputs
    }

    fn put(&mut self, position: usize, value: f64) {
        let (element, size) = (self.input.element, self.input.element.bytes());
        let bits = encode(element, value).to_le_bytes();
        self.input.bytes[position * size..][..size].copy_from_slice(&bits[..size]);
    }
}

impl Outputs {
    /// The weight and both values of each output that counts.
    fn pairs<'a>(&'a self, a: &'a [f64], b: &'a [f64]) -> impl Iterator<Item = (f64, f64, f64)> + 'a {
        let all = self.weights.iter().zip(a.iter().zip(b)).map(|(&weight, (&a, &b))| (weight, a, b));
        all.filter(|(weight, ..)| *weight != 0.0)
    }

    /// The weighted sum of the differences.
    fn difference(&self, a: &[f64], b: &[f64]) -> f64 {
        self.pairs(a, b).filter(|(_, a, b)| a != b).map(|(weight, a, b)| weight * (a - b)).sum()
    }

    fn differ(&self, a: &[f64], b: &[f64]) -> bool {
        self.pairs(a, b).any(|(_, a, b)| a != b)
    }

    /// A bound on the error of the weighted sum of the differences that the rounding of the outputs causes. Outputs
    /// that are equal are not rounded differently, unless all are: then the rounding may hide the difference of one.
    fn rounding(&self, a: &[f64], b: &[f64]) -> f64 {
        let error = |(weight, a, b): (f64, f64, f64)| weight.abs() * a.abs().max(b.abs()) * self.spacing;
        if self.differ(a, b) {
            let different = self.pairs(a, b).filter(|(_, a, b)| a != b);
            different.map(error).map(|error| error * error).sum::<f64>().sqrt()
        } else {
            self.pairs(a, b).map(error).fold(0.0, f64::max)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(element: Element, values: &[f64]) -> Buffer {
        let bits = values.iter().flat_map(|&value| encode(element, value).to_le_bytes()[..element.bytes()].to_vec());
        Buffer { element, shape: vec![values.len() as u64], strides: vec![1], bytes: bits.collect() }
    }

    /// The gradient of the weighted sum of the results of `f`.
    fn of(
        element: Element,
        values: &[f64],
        weights: &[f64],
        f: impl Fn(&[f64]) -> Vec<f64>,
    ) -> Result<Vec<f64>, Failure<String>> {
        let outputs = Outputs { weights: weights.to_vec(), spacing: f64::EPSILON };
        let allowed = |value: f64| 1e-8 + 1e-6 * value.abs();
        let run = |input: &Buffer, _| Ok(f(&input.values().expect("the memory is complete")));
        let found = gradient(&input(element, values), &outputs, allowed, run)?;
        Ok(found.into_iter().map(|derivative| derivative.value).collect())
    }

    #[test]
    fn points_are_representable_and_symmetric() {
        for element in [Element::F64, Element::F32, Element::F16, Element::BF16] {
            for x in [1.0, -1.0, 0.0, 0.998046875, -3.984375, 1e-3] {
                let x = round_to(element, x);
                for step in [0.3, 0.1, 2.0] {
                    let [below, above] = points(element, x, step).expect("they are in range");
                    assert_eq!((round_to(element, below), round_to(element, above)), (below, above));
                    assert!((below..above).contains(&x) && (above - below) / (2.0 * step) < 1.5, "{x} {step}");
                    // If the step is larger than `x`, the spacing on both sides can differ.
                    assert!(step > x.abs() || above - x == x - below, "{element} {x} {step}: {below} {above}");
                }
            }
        }
        assert_eq!(points(Element::F16, 60000.0, 10000.0), None);
    }

    #[test]
    fn each_element_is_differentiated() {
        let found = of(Element::F64, &[1.0, -2.0, 0.0], &[1.0], |x| vec![x[0] * x[0] + x[0] * x[1] + 3.0 * x[2]]);
        let found = found.expect("the runs do not fail");
        assert!(
            found.iter().zip([0.0, 1.0, 3.0]).all(|(found, expected)| (found - expected).abs() < 1e-9),
            "{found:?}"
        );
        let weighted = of(Element::F32, &[0.5, 2.0], &[1.0, 0.0, -4.0], |x| vec![x[0], f64::INFINITY, x[0] * x[1]]);
        let weighted = weighted.expect("an output without a weight does not count");
        assert!((weighted[0] + 7.0).abs() < 1e-6 && (weighted[1] + 2.0).abs() < 1e-6, "{weighted:?}");
        assert_eq!(of(Element::F32, &[], &[1.0], |_| vec![1.0]), Ok(vec![]));
    }

    #[test]
    fn an_element_of_a_buffer_with_strides_is_changed_in_place() {
        let mut sparse = input(Element::F32, &[1.0, 9.0, 2.0]);
        (sparse.shape, sparse.strides) = (vec![2], vec![2]);
        let outputs = Outputs { weights: vec![1.0], spacing: 0.0 };
        let run = |input: &Buffer, change: Option<Change>| {
            let all = Buffer { shape: vec![3], strides: vec![1], ..input.clone() }.values().expect("three elements");
            assert_eq!(all[1], 9.0);
            let changed = [all[0] - 1.0, all[2] - 2.0].iter().filter(|difference| **difference != 0.0).count();
            assert_eq!(changed, usize::from(change.is_some()));
            Ok::<_, ()>(vec![all[0] + 5.0 * all[2]])
        };
        let found = gradient(&sparse, &outputs, |_| 1e-6, run).expect("the runs do not fail");
        assert_eq!(found.iter().map(|derivative| derivative.value.round()).collect::<Vec<_>>(), [1.0, 5.0]);
    }

    #[test]
    fn failures_are_distinguished() {
        assert_eq!(
            of(Element::F64, &[1.0, f64::INFINITY], &[1.0], |_| vec![0.0]),
            Err(Failure::Input(1, f64::INFINITY))
        );
        assert_eq!(of(Element::F64, &[1.0], &[1.0], |_| vec![f64::NAN]), Err(Failure::Output));
        let edge = |x: &[f64]| vec![if x[0] > 1.0 { f64::NAN } else { x[0] }];
        assert_eq!(of(Element::F64, &[1.0], &[1.0], edge), Err(Failure::Neighborhood(0)));
        let outputs = Outputs { weights: vec![1.0], spacing: 0.0 };
        let fails = |_: &Buffer, change: Option<Change>| change.map_or(Ok(vec![0.0]), Err);
        let failed = gradient(&input(Element::F64, &[3.0]), &outputs, |_| 0.0, fails);
        assert_eq!(failed, Err(Failure::Run(Change { place: 0, from: 3.0, to: 2.0 })));
    }
}
