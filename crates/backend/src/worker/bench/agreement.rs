//! Whether a candidate of a launch without expectations computes what the first candidate does.
//!
//! Hints change the order in which the elements of a sum are added, so the results need not be equal. Two numbers agree
//! if their difference is at most the sum of
//! - the default tolerance of the type, or the one that another launch of the entry states for the buffer if it is
//!   larger;
//! - the same relative to the largest element of the buffer, because an element can be the small difference of large
//!   ones;
//! - the error of tensor cores ([`Products`]);
//! - four times the largest difference between runs of the first candidate, if it has atomic ops, whose order is
//!   different in each run.

use crate::worker::compare::{self, Compared, Difference, Products};
use tile_analysis::ir::Body;
use tile_dialect::Group;
use tile_launch::expect::Tolerance;
use tile_launch::{Expect, Value};

/// How often the first candidate runs to find out how its results vary.
pub(super) const RUNS: usize = 4;

/// The factor for the largest difference between these runs, because more runs would differ more.
const MARGIN: f64 = 4.0;

/// The arguments after a run.
type Results = [(String, Value)];

/// Whether the results of an entry can differ from run to run.
pub(super) fn varies(entry: &Body) -> bool {
    entry.ops.iter().any(|op| op.op.row().group == Group::Atomic)
}

/// The results of the first candidate, and how they vary.
pub(super) struct Reference {
    results: Vec<(String, Value)>,
    /// The largest difference between runs of each argument.
    spread: Vec<f64>,
}

impl Reference {
    /// The results of a run.
    pub(super) fn new(results: Vec<(String, Value)>) -> Reference {
        let spread = vec![0.0; results.len()];
        Reference { results, spread }
    }

    /// Takes the results of another run of the first candidate.
    pub(super) fn add_run(&mut self, results: &Results) {
        for (spread, ((_, known), (_, found))) in self.spread.iter_mut().zip(self.results.iter().zip(results)) {
            if let (Value::Buffer(known), Value::Buffer(found)) = (known, found) {
                *spread = spread.max(compare::largest_difference(known, found));
            }
        }
    }

    /// How the results of another candidate differ, if they do not agree. `expects` are the expectations of all
    /// launches of the entry.
    pub(super) fn difference(
        &self,
        results: &Results,
        expects: &[Expect],
        products: Option<&Products>,
    ) -> Option<String> {
        let both = self.results.iter().zip(results).zip(&self.spread);
        let compared = both.filter_map(|(((name, known), (_, found)), spread)| match (known, found) {
            (Value::Buffer(known), Value::Buffer(found)) if known.bytes != found.bytes => {
                let Tolerance { rtol, atol } = compare::widest(expects, name, known.element);
                let of_products = products.filter(|_| !known.element.is_int()).map_or(0.0, Products::expected);
                let atol = atol + (rtol + of_products) * compare::largest(known) + MARGIN * spread;
                Some(compare::within(name, Tolerance { rtol, atol }, known, found))
            }
            _ => None,
        });
        compared.filter(|compared| !compared.passed).map(|wrong| described(&wrong)).next()
    }
}

fn described(wrong: &Compared) -> String {
    let Compared { name, elements, difference, .. } = wrong;
    let values = difference.as_ref().map_or_else(String::new, |found| {
        let Difference { differ, first, expected, got, .. } = found;
        format!(" in {differ} of {elements} elements, the first at {first:?}: {got} instead of {expected}")
    });
    format!("its results differ from those of the first candidate: `%{name}`{values}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tile_dialect::Element;
    use tile_launch::Buffer;

    fn results(element: Element, bytes: Vec<u8>) -> Vec<(String, Value)> {
        let count = (bytes.len() / element.bytes()) as u64;
        vec![("c".to_string(), Value::Buffer(Buffer { element, shape: vec![count], strides: vec![1], bytes }))]
    }

    fn singles(numbers: &[f32]) -> Vec<(String, Value)> {
        results(Element::F32, numbers.iter().flat_map(|number| number.to_le_bytes()).collect())
    }

    #[test]
    fn differences_are_relative_to_the_largest_element() {
        let reference = Reference::new(singles(&[1000.0, 0.001]));
        assert_eq!(reference.difference(&singles(&[1000.0, 0.009]), &[], None), None);
        let expected = "its results differ from those of the first candidate: `%c` in 1 of 2 elements, the first at [1]: \
                        0.02 instead of 0.001";
        assert_eq!(reference.difference(&singles(&[1000.0, 0.02]), &[], None).as_deref(), Some(expected));
        let reference = Reference::new(results(Element::I8, vec![100, 1]));
        assert!(reference.difference(&results(Element::I8, vec![100, 2]), &[], None).is_some());
        let reference = Reference::new(singles(&[1.0, f32::INFINITY, f32::NAN]));
        assert_eq!(reference.difference(&singles(&[1.0, f32::INFINITY, f32::NAN]), &[], None), None);
        assert!(reference.difference(&singles(&[1.0, 1.0, f32::NAN]), &[], None).is_some());
    }

    #[test]
    fn results_may_vary_as_much_as_from_run_to_run() {
        let mut reference = Reference::new(singles(&[1.0, 2.0]));
        let found = singles(&[1.3, 1.7]);
        assert!(reference.difference(&found, &[], None).is_some());
        reference.add_run(&singles(&[1.0, 2.1]));
        assert_eq!(reference.difference(&found, &[], None), None);
        assert!(reference.difference(&singles(&[1.0, 3.0]), &[], None).is_some());
    }

    #[test]
    fn a_tolerance_for_small_buffers_is_not_one_for_large_sums() {
        let expects = |tolerance: &str| {
            let text = format!("//@ launch\n//@ expect %c ~= 1 {tolerance}\n");
            tile_launch::parse(&text, 0..text.len()).launches.remove(0).expects
        };
        let products =
            Products { factors: "f16".to_string(), accumulator: "f32".to_string(), length: 1 << 20, bits: 23 };
        let reference = Reference::new(singles(&[64.0, 1.0]));
        let found = singles(&[64.0, 1.02]);
        assert!(reference.difference(&found, &expects("atol=1e-5"), None).is_some());
        assert_eq!(reference.difference(&found, &expects("atol=1e-5"), Some(&products)), None);
        assert_eq!(reference.difference(&found, &expects("atol=0.1"), None), None);
    }
}
