//! How exact the products of matrices of a kernel are on tensor cores.

use serde::{Deserialize, Serialize};
use std::fmt;
use tile_analysis::ir::{Body, Op, OpId};
use tile_dialect::{Element, Mnemonic};

/// The products of a kernel that are least exact on tensor cores.
///
/// A tensor core multiplies exactly. It adds a few products at once, `g` of them (8 of `tf32`, 16 of `f16` and `bf16`, 32
/// of 8-bit floats), and the sum so far: it aligns all of them to the largest exponent and cuts off what is below the last
/// bit that it keeps there, `2^-p` of the largest. What is cut off differs from the CPU engine, which adds one after the
/// other and rounds each time to nearest in the accumulator's type.
///
/// | factors | accumulator | p |
/// |---|---|---|
/// | `f8E4M3FN`, `f8E5M2` | `f32` | 13 |
/// | `f16`, `bf16`, `tf32` | `f32` | 23 |
/// | 8-bit floats, `f16` | `f16` | 10 |
///
/// Let `M` be the largest partial sum; a sum of `K` products is cut `K/g` times. An error of one cut is at most `2^-p M`, so the
/// sum is off by at most `K/g 2^-p M` if all cuts go the same way, and the products that are cut in between add errors of
/// the same size that do not: for independent ones some `√K 2^-p M` (Higham and Mary, *A new approach to probabilistic
/// rounding error analysis*, 2019). `4 √K 2^-p M` is above both for all `K` up to `16 g²`: 1024 of `tf32`, 4096 of
/// `f16`, 16384 of 8-bit floats. It also covers the rounding of the CPU engine. The largest partial sum is not known; the
/// largest element of the result takes its place.
///
/// On an H100 (`tileiras` 13.5.37), uniform numbers, largest difference in parts of the largest element, and what is
/// expected here:
///
/// | factors | accumulator | K | seen | expected |
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
    /// How many products are added for one element: `K`.
    pub length: u64,
    /// The last bit that is kept of a sum: `p`.
    pub bits: u32,
}

impl Products {
    /// The least exact products of an entry whose ops have run so often in one tile block; nothing where all products are
    /// as exact as on the CPU engine.
    pub(in crate::worker) fn of(entry: &Body, runs: impl Fn(OpId) -> u64) -> Option<Products> {
        let all = (0..).map(OpId).zip(&entry.ops).filter_map(|(id, op)| Products::of_op(entry, op, runs(id)));
        all.max_by(|a, b| a.expected().total_cmp(&b.expected()))
    }

    /// Whether an entry has products that need not be as exact as on the CPU engine.
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

    /// The largest difference from the CPU engine that is expected, in parts of the largest element.
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

/// `sums of 64 products of f8E4M3FN in f32 may be off by 3.9e-3 of the largest element`.
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
    fn longer_and_narrower_sums_are_less_exact() {
        let products = |factors, accumulator, length| {
            let bits = bits(factors, accumulator).expect("tensor cores multiply them");
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
