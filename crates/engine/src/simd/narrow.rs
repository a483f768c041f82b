//! Branch-free conversions between `f16` or `bf16` and `f32`, so that whole tiles are vectorized.
//!
//! The language does not specify which NaN an op returns. In types narrower than `f32` it is here that of GPUs (PTX
//! ISA, `cvt`): positive, with all bits of exponent and mantissa set. NaN as padding and as a literal is different,
//! with only the first bit of the mantissa set, as in NVIDIA's compiler.

use tile_analysis::number::{Rounding, encode_rounded};
use tile_dialect::Element;

/// The NaN of `f16` and `bf16`.
pub(crate) const NAN: u16 = 0x7FFF;

/// The bits of a computed value.
pub(crate) fn computed(element: Element, value: f64, rounding: Rounding) -> u64 {
    match element {
        _ if !value.is_nan() => encode_rounded(element, value, rounding),
        Element::F16 | Element::BF16 => NAN.into(),
        // The low 13 bits of the word are not part of the number.
        Element::TF32 => 0x7FFF_E000,
        Element::F8E5M2 => 0x7F,
        _ => encode_rounded(element, value, rounding),
    }
}

/// Converts a NaN of `f64` to `f16` or `bf16`, keeping its sign and the upper bits of its payload.
pub(crate) fn narrowed_nan(element: Element, bits: u64) -> u64 {
    let mantissa = if element == Element::F16 { 10 } else { 7 };
    let payload = (bits & ((1 << 52) - 1)) >> (52 - mantissa);
    bits >> 63 << 15 | (0x7FFF >> mantissa << mantissa) | 1 << (mantissa - 1) | payload
}

/// The value of an `f16`.
#[inline(always)]
pub(crate) fn half_to_single(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let magnitude = u32::from(bits & 0x7FFF) << 13;
    // 2^112 moves the exponent's bias from 15 to 127; the product also makes subnormals normal.
    let finite = (f32::from_bits(magnitude) * f32::from_bits(0x7780_0000)).to_bits();
    let special = magnitude | 0x7F80_0000;
    f32::from_bits(sign | if magnitude >= 0x0F80_0000 { special } else { finite })
}

/// The `f16` nearest to a value, ties to even.
#[inline(always)]
pub(crate) fn single_to_half(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 16) as u16 & 0x8000;
    let magnitude = bits & 0x7FFF_FFFF;
    // Adding 1/2 puts the last place of a subnormal f16 at the last place of the sum, which rounds it.
    let subnormal = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(0x3F00_0000);
    let odd = magnitude >> 13 & 1;
    let normal = magnitude.wrapping_sub(112 << 23).wrapping_add(0xFFF + odd) >> 13;
    let finite = if magnitude < 113 << 23 { subnormal } else { normal };
    // From 65520 on, everything rounds to infinity.
    let number = sign | if magnitude >= 0x477F_F000 { 0x7C00 } else { finite } as u16;
    if magnitude > 0x7F80_0000 { NAN } else { number }
}

/// The value of a `bf16`.
#[inline(always)]
pub(crate) fn brain_to_single(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// The `bf16` nearest to a value, ties to even.
#[inline(always)]
pub(crate) fn single_to_brain(value: f32) -> u16 {
    let bits = value.to_bits();
    let rounded = bits.wrapping_add(0x7FFF + (bits >> 16 & 1)) >> 16;
    if value.is_nan() { NAN } else { rounded as u16 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tile_analysis::number::{decode, encode};

    #[test]
    fn f16_and_bf16_round_trip() {
        for bits in 0..=u16::MAX {
            for (element, value, back) in [
                (Element::F16, half_to_single(bits), single_to_half(half_to_single(bits))),
                (Element::BF16, brain_to_single(bits), single_to_brain(brain_to_single(bits))),
            ] {
                let expected = decode(element, bits.into());
                if expected.is_nan() {
                    assert!(value.is_nan() && decode(element, back.into()).is_nan(), "{element} {bits:#x}");
                } else {
                    assert_eq!(f64::from(value).to_bits(), expected.to_bits(), "{element} {bits:#x}");
                    assert_eq!(back, bits, "{element} {bits:#x}");
                }
            }
        }
    }

    #[test]
    fn nan_matches_gpus() {
        for value in [f32::NAN, -f32::NAN, f32::from_bits(0x7F80_0001)] {
            assert_eq!((single_to_half(value), single_to_brain(value)), (0x7FFF, 0x7FFF));
            for (element, bits) in [
                (Element::F16, 0x7FFF),
                (Element::BF16, 0x7FFF),
                (Element::TF32, 0x7FFF_E000),
                (Element::F8E5M2, 0x7F),
                (Element::F8E4M3FN, 0x7F),
                (Element::F8E8M0FNU, 0xFF),
                (Element::FNv8E5M3FNU, 0xFF),
            ] {
                let found = computed(element, value.into(), Rounding::NearestEven);
                assert!(found == bits && decode(element, found).is_nan(), "{element}: {found:#x}");
            }
        }
    }

    #[test]
    fn rounding_agrees_with_the_general_encoder() {
        let mut state = 1u32;
        for _ in 0..200_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let wide = f32::from_bits(state);
            // The second value lies where f16 has its numbers.
            for value in [wide, wide.abs() % 1e-6, wide.abs() % 70_000.0] {
                if !value.is_nan() {
                    assert_eq!(u64::from(single_to_half(value)), encode(Element::F16, value.into()), "{value:e}");
                    assert_eq!(u64::from(single_to_brain(value)), encode(Element::BF16, value.into()), "{value:e}");
                }
            }
        }
        for value in [65519.996f32, 65520.0, 65504.0, 6.097_555e-5, 2.980_232e-8, 2.980_233e-8, 5.96e-8, -0.0] {
            assert_eq!(u64::from(single_to_half(value)), encode(Element::F16, value.into()), "{value:e}");
        }
    }
}
