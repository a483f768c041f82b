//! The precision of matrix products on tensor cores.

use serde::{Deserialize, Serialize};
use std::fmt;
use tile_analysis::ir::{Body, Op, OpId};
use tile_dialect::{Element, Mnemonic};

/// The least precise matrix products of a kernel on tensor cores.
///
/// A tensor core multiplies exactly. It adds `g` products at once (8 of `tf32`, 16 of `f16` and `bf16`, 32 of 8-bit
/// floats) to the accumulated sum: it aligns all terms to the largest exponent and truncates the bits below `2^-p` of
/// the largest term. The CPU engine differs: it adds one product after the other, and rounds each sum to nearest in the
/// accumulator's type.
///
/// | factors | accumulator | p |
/// |---|---|---|
/// | `f8E4M3FN`, `f8E5M2` | `f32` | 13 |
/// | `f16`, `bf16`, `tf32` | `f32` | 23 |
/// | 8-bit floats, `f16` | `f16` | 10 |
///
/// Let `M` be the largest partial sum. A sum of `K` products is truncated `K/g` times, with an error of at most
/// `2^-p M` each, so the sum is off by at most `K/g 2^-p M` if all errors have the same sign. The truncated products
/// add errors of the same size with independent signs, about `√K 2^-p M` (Higham and Mary, *A new approach to
/// probabilistic rounding error analysis*, 2019). `4 √K 2^-p M` is above both for all `K` up to `16 g²`: 1024 of
/// `tf32`, 4096 of `f16`, 16384 of 8-bit floats. It also covers the rounding of the CPU engine. The largest partial sum
/// is not known; the largest element of the result is used instead.
///
/// Largest measured differences on an H100 (`tileiras` 13.5.37) with uniform numbers, relative to the largest element,
/// and the accepted differences:
///
/// | factors | accumulator | K | measured | accepted |
/// |---|---|---|---|---|
/// | `f8E4M3FN` | `f32` | 64 | 2^-10.8 | 2^-8 |
/// | `f8E4M3FN` | `f32` | 256 | 2^-10.0 | 2^-7 |
/// | `f8E4M3FN` | `f16` | 1024 | 2^-5.9 | 2^-3 |
/// | `f16` | `f16` | 256 | 2^-9.0 | 2^-4 |
/// | `f16` | `f32` | 1024 | 2^-17.1 | 2^-16 |
/// | `tf32` | `f32` | 256 | 2^-18.6 | 2^-17 |
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Products {
    /// The element type of the factors.
    pub factors: String,
    /// The element type of the accumulator.
    pub accumulator: String,
    /// The number of products that are added for one element: `K`.
    pub length: u64,
    /// The last bit that is kept in a sum: `p`.
    pub bits: u32,
}

impl Products {
    /// The least precise products of an entry, given how often each op runs in a tile block; `None` if all products are
    /// as precise as on the CPU engine.
    pub(in crate::worker) fn of(entry: &Body, runs: impl Fn(OpId) -> u64) -> Option<Products> {
        let all = (0..).map(OpId).zip(&entry.ops).filter_map(|(id, op)| Products::of_op(entry, op, runs(id)));
        all.max_by(|a, b| a.expected().total_cmp(&b.expected()))
    }

    /// Whether an entry has products that can be less precise than on the CPU engine.
    pub(in crate::worker) fn are_in(entry: &Body) -> bool {
        Products::of(entry, |_| 1).is_some()
    }

    fn of_op(entry: &Body, op: &Op, runs: u64) -> Option<Products> {
        if op.op != Mnemonic::Mmaf || runs == 0 {
            return None;
        }
        let tile = |index| entry.ty(entry.operand(op, index)?).as_tile();
        let (lhs, acc) = (tile(0)?, tile(2)?);
        let (factors, accumulator) = (lhs.number()?, acc.number()?);
        let bits = bits(factors, accumulator)?;
        let length = u64::try_from(*lhs.shape.last()?).ok()?.saturating_mul(runs);
        let [factors, accumulator] = [factors, accumulator].map(|element| element.name().to_string());
        Some(Products { factors, accumulator, length, bits })
    }

    /// The largest expected difference from the CPU engine, relative to the largest element.
    pub fn expected(&self) -> f64 {
        4.0 * (self.length as f64).sqrt() * 0.5f64.powi(self.bits as i32)
    }
}

fn bits(factors: Element, accumulator: Element) -> Option<u32> {
    match (factors, accumulator) {
        (Element::F8E4M3FN | Element::F8E5M2 | Element::F16, Element::F16) => Some(10),
        (Element::F8E4M3FN | Element::F8E5M2, _) => Some(13),
        (Element::F16 | Element::BF16 | Element::TF32, _) => Some(23),
        _ => None,
    }
}

/// Formats as `sums of 64 products of f8E4M3FN in f32 may be off by 3.9e-3 of the largest element`.
impl fmt::Display for Products {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Products { factors, accumulator, length, .. } = self;
        let expected = format!("{:.1e}", self.expected());
        write!(
            f,
            "sums of {length} products of {factors} in {accumulator} may be off by {expected} of the largest element"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_and_narrower_sums_are_less_precise() {
        let products = |factors, accumulator, length| {
            let bits = bits(factors, accumulator).expect("tensor cores support these types");
            Products { factors: String::new(), accumulator: String::new(), length, bits }.expected()
        };
        use Element::*;
        assert_eq!(products(F8E4M3FN, F32, 64), 0.5f64.powi(8));
        assert_eq!(products(F16, F32, 1024), 0.5f64.powi(16));
        assert_eq!(products(F8E5M2, F16, 1024), 0.5f64.powi(3));
        assert!(products(BF16, F32, 64) < products(BF16, F32, 4096));
        assert_eq!((bits(F32, F32), bits(F64, F64)), (None, None));
    }
}
