use super::*;
use half::{bf16, f16};
use tile_dialect::ELEMENTS;

const NARROW: [Element; 5] =
    [Element::F8E4M3FN, Element::F8E5M2, Element::F8E8M0FNU, Element::F4E2M1FN, Element::FNv8E5M3FNU];

/// Returns every finite, non-negative value with its code, computed from the definition of the format.
fn magnitudes(element: Element) -> Vec<(f64, u64)> {
    let (mantissa, bias, count) = match element {
        Element::F8E4M3FN => (3, 7, 127),
        Element::F8E5M2 => (2, 15, 124),
        Element::F4E2M1FN => (1, 1, 8),
        Element::FNv8E5M3FNU => (3, 15, 255),
        _ => return (0..255).map(|code| (2f64.powi(code as i32 - 127), code)).collect(),
    };
    let steps = 1u64 << mantissa;
    let value = |code: u64| {
        let (field, fraction) = ((code / steps) as i32, (code % steps) as f64 / steps as f64);
        if field == 0 { fraction * 2f64.powi(1 - bias) } else { (1.0 + fraction) * 2f64.powi(field - bias) }
    };
    (0..count).map(|code| (value(code), code)).collect()
}

#[test]
fn narrow_floats_decode_as_defined() {
    for element in NARROW {
        let signed = !matches!(element, Element::F8E8M0FNU | Element::FNv8E5M3FNU);
        for (value, code) in magnitudes(element) {
            assert_eq!(decode(element, code), value, "{element} {code:#x}");
            if signed {
                let sign = 1 << (element.bits() - 1);
                assert_eq!(decode(element, code | sign).to_bits(), (-value).to_bits(), "-{element} {code:#x}");
            }
        }
    }
}

#[test]
fn published_values_of_the_narrow_floats() {
    for (element, bits, value) in [
        (Element::F8E4M3FN, 0x7E, 448.0),
        (Element::F8E4M3FN, 0x01, 2f64.powi(-9)),
        (Element::F8E4M3FN, 0x38, 1.0),
        (Element::F8E5M2, 0x7B, 57344.0),
        (Element::F8E5M2, 0x7C, f64::INFINITY),
        (Element::F8E5M2, 0xFC, f64::NEG_INFINITY),
        (Element::F8E5M2, 0x01, 2f64.powi(-16)),
        (Element::F8E8M0FNU, 0x00, 2f64.powi(-127)),
        (Element::F8E8M0FNU, 0x7F, 1.0),
        (Element::F8E8M0FNU, 0xFE, 2f64.powi(127)),
        (Element::F4E2M1FN, 0x7, 6.0),
        (Element::F4E2M1FN, 0xF, -6.0),
        (Element::FNv8E5M3FNU, 0x78, 1.0),
        (Element::FNv8E5M3FNU, 0xFE, 114688.0),
    ] {
        assert_eq!(decode(element, bits), value, "{element} {bits:#x}");
        if value.is_finite() {
            assert_eq!(encode(element, value), bits, "{element} {value}");
            assert!(value.abs() <= largest(element));
        }
    }
    for (element, bits) in [
        (Element::F8E4M3FN, 0x7F),
        (Element::F8E4M3FN, 0xFF),
        (Element::F8E5M2, 0x7D),
        (Element::F8E5M2, 0xFF),
        (Element::F8E8M0FNU, 0xFF),
        (Element::FNv8E5M3FNU, 0xFF),
    ] {
        assert!(decode(element, bits).is_nan(), "{element} {bits:#x}");
    }
}

#[test]
fn every_code_of_narrow_floats_round_trips() {
    for element in NARROW {
        for code in 0..1u64 << element.bits() {
            let value = decode(element, code);
            if value.is_finite() {
                assert_eq!(encode(element, value), code, "{element} {code:#x}");
            }
        }
    }
}

/// Returns values at, just below and just above each code, and halfway to the next.
fn probes(element: Element) -> Vec<f64> {
    let codes = magnitudes(element);
    let mut probes = vec![];
    for pair in codes.windows(2) {
        let middle = (pair[0].0 + pair[1].0) / 2.0;
        for value in [pair[0].0, middle, pair[1].0] {
            probes.extend([value.next_down(), value, value.next_up()]);
        }
    }
    probes.retain(|value| *value >= 0.0);
    probes
}

/// Finds the code for a value within range by searching all codes of the format.
fn search(codes: &[(f64, u64)], value: f64, rounding: Rounding) -> u64 {
    let above = codes.partition_point(|(other, _)| *other < value).min(codes.len() - 1);
    let high = codes[above];
    if high.0 <= value || above == 0 {
        return high.1;
    }
    let low = codes[above - 1];
    let (down, up) = (value - low.0, high.0 - value);
    let take_high = match rounding {
        Rounding::Zero | Rounding::NegativeInf => false,
        Rounding::PositiveInf => true,
        Rounding::NearestEven => up < down || (up == down && high.1.is_multiple_of(2)),
        Rounding::NearestAway => up <= down,
    };
    if take_high { high.1 } else { low.1 }
}

#[test]
fn narrow_floats_round_as_a_search_does() {
    use Rounding::*;
    for element in NARROW {
        let codes = magnitudes(element);
        let largest = codes.last().unwrap().0;
        for value in probes(element).into_iter().filter(|value| *value <= largest) {
            for rounding in [NearestEven, NearestAway, Zero, PositiveInf, NegativeInf] {
                let want = search(&codes, value, rounding);
                assert_eq!(encode_rounded(element, value, rounding), want, "{element} {value:e} {rounding:?}");
            }
        }
    }
}

#[test]
fn direction_follows_the_sign() {
    let f4 = |value, rounding| decode(Element::F4E2M1FN, encode_rounded(Element::F4E2M1FN, value, rounding));
    assert_eq!(f4(-2.5, Rounding::PositiveInf), -2.0);
    assert_eq!(f4(-2.5, Rounding::NegativeInf), -3.0);
    assert_eq!(f4(-2.5, Rounding::NearestAway), -3.0);
    assert_eq!(f4(-2.5, Rounding::NearestEven), -2.0);
    assert_eq!(f4(-2.5, Rounding::Zero), -2.0);
}

#[test]
fn values_out_of_range() {
    for (element, most) in [(Element::F8E4M3FN, 448.0), (Element::F8E5M2, 57344.0), (Element::F4E2M1FN, 6.0)] {
        for value in [most * 1.01, 1e300, f64::INFINITY] {
            assert_eq!(round_to(element, value), most);
            assert_eq!(round_to(element, -value), -most);
        }
    }
    assert_eq!(round_to(Element::F8E8M0FNU, f64::INFINITY), 2f64.powi(127));
    assert_eq!(round_to(Element::F8E8M0FNU, 0.0), 2f64.powi(-127));
    assert!(round_to(Element::F8E8M0FNU, -1.0).is_nan());
    assert_eq!(encode(Element::FNv8E5M3FNU, -0.0), 0);
    assert_eq!(encode(Element::F4E2M1FN, f64::NAN), 7);
    assert_eq!(encode(Element::F8E4M3FN, f64::NAN), 0x7F);
    for element in [Element::F16, Element::BF16, Element::TF32, Element::F32] {
        let most = largest(element);
        assert_eq!(round_to(element, 1e300), f64::INFINITY);
        assert_eq!(round_to(element, -1e300), f64::NEG_INFINITY);
        assert_eq!(decode(element, encode_rounded(element, 1e300, Rounding::Zero)), most);
        assert_eq!(decode(element, encode_rounded(element, -1e300, Rounding::PositiveInf)), -most);
        assert!(round_to(element, f64::NAN).is_nan());
    }
    assert_eq!(round_to(Element::F16, 65519.999), 65504.0);
    assert_eq!(round_to(Element::F16, 65520.0), f64::INFINITY);
}

#[test]
fn literals_do_not_saturate() {
    for (element, value, bits) in [
        (Element::F8E5M2, 57_344.0, 0x7B),
        (Element::F8E5M2, 61_439.0, 0x7B),
        (Element::F8E5M2, 61_440.0, 0x7C),
        (Element::F8E5M2, -1e6, 0xFC),
        (Element::F8E4M3FN, 464.0, 0x7E),
        (Element::F8E4M3FN, 464.5, 0x7F),
        (Element::F8E4M3FN, -1e6, 0xFF),
        (Element::F8E4M3FN, f64::INFINITY, 0x7F),
        (Element::F4E2M1FN, 1e6, 7),
        (Element::F8E8M0FNU, 3.0, 129),
        (Element::F16, 65_520.0, 0x7C00),
    ] {
        assert_eq!(encode_literal(element, value), bits, "{element} {value}");
    }
}

#[test]
fn half_precision_agrees_with_the_half_crate() {
    for code in 0..u16::MAX {
        let (h, b) = (f16::from_bits(code), bf16::from_bits(code));
        for (element, want) in [(Element::F16, h.to_f64()), (Element::BF16, b.to_f64())] {
            let got = decode(element, code.into());
            assert!(got == want || (got.is_nan() && want.is_nan()), "{element} {code:#x}");
            if got.is_finite() {
                assert_eq!(encode(element, got), u64::from(code), "{element} {code:#x}");
            }
        }
        for middle in [halfway(h.to_f64(), f16::from_bits(code + 1).to_f64())].into_iter().flatten() {
            for value in [middle.next_down(), middle, middle.next_up()] {
                assert_eq!(encode(Element::F16, value.into()), f16::from_f32(value).to_bits().into(), "{value:e}");
            }
        }
        for middle in [halfway(b.to_f64(), bf16::from_bits(code + 1).to_f64())].into_iter().flatten() {
            for value in [middle.next_down(), middle, middle.next_up()] {
                assert_eq!(encode(Element::BF16, value.into()), bf16::from_f32(value).to_bits().into(), "{value:e}");
            }
        }
    }
}

/// Returns the midpoint of two neighboring values of a 16-bit format, which `f32` represents exactly.
fn halfway(low: f64, high: f64) -> Option<f32> {
    let middle = (low + high) / 2.0;
    middle.is_finite().then_some(middle as f32)
}

/// Rounding through `f32` first, as the `half` crate does, would treat both neighbors of a midpoint as ties.
#[test]
fn half_precision_is_rounded_once() {
    for code in 0..0x7BFF {
        let (low, high) = (f16::from_bits(code).to_f64(), f16::from_bits(code + 1).to_f64());
        let middle = (low + high) / 2.0;
        assert_eq!(encode(Element::F16, middle.next_down()), code.into());
        assert_eq!(encode(Element::F16, middle.next_up()), u64::from(code) + 1);
        assert_eq!(encode(Element::F16, -middle.next_up()), (u64::from(code) + 1) | 0x8000);
    }
}

#[test]
fn ties_of_bfloat_and_tf32_go_to_even() {
    let unit = 2f64.powi(-7);
    for (value, want) in [
        (1.0 + unit / 2.0, 1.0),
        ((1.0 + unit / 2.0).next_up(), 1.0 + unit),
        (1.0 + 1.5 * unit, 1.0 + 2.0 * unit),
        (2f64.powi(-134), 0.0),
        (2f64.powi(-134).next_up(), 2f64.powi(-133)),
        (1.5 * 2f64.powi(-133), 2f64.powi(-132)),
    ] {
        assert_eq!(round_to(Element::BF16, value), want, "{value:e}");
    }
    let unit = 2f64.powi(-10);
    assert_eq!(encode(Element::TF32, 1.0), 0x3F80_0000);
    assert_eq!(encode(Element::TF32, 1.0 + unit), 0x3F80_2000);
    assert_eq!(round_to(Element::TF32, 1.0 + unit / 2.0), 1.0);
    assert_eq!(round_to(Element::TF32, 1.0 + 1.5 * unit), 1.0 + 2.0 * unit);
    assert_eq!(decode(Element::TF32, 0x3F80_1FFF), 1.0, "the low 13 bits are ignored");
}

#[test]
fn single_precision_in_every_direction() {
    let third = 1.0 / 3.0f64;
    let below = f64::from((1.0f32 / 3.0).next_down());
    let above = f64::from(1.0f32 / 3.0);
    assert!(below < third && third < above);
    let round = |rounding| decode(Element::F32, encode_rounded(Element::F32, third, rounding));
    assert_eq!(round(Rounding::Zero), below);
    assert_eq!(round(Rounding::NegativeInf), below);
    assert_eq!(round(Rounding::PositiveInf), above);
    assert_eq!(round(Rounding::NearestEven), above);
    assert_eq!(encode(Element::F32, f64::NAN), 0x7FC0_0000);
}

#[test]
fn the_general_encoder_agrees_with_the_processor_on_f32() {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..200_000 {
        let value = f64::from_bits(random.u64(..));
        // Nearest-even uses the processor's conversion. Nearest-away differs from it only for ties, which random values
        // do not hit.
        if !value.is_nan() {
            let got = encode_rounded(Element::F32, value, Rounding::NearestAway);
            assert_eq!(got, (value as f32).to_bits().into(), "{value:e}");
        }
    }
}

#[test]
fn integers_wrap() {
    for (element, value, bits) in [
        (Element::I8, 300.0, 44),
        (Element::I8, -1.0, 0xFF),
        (Element::I8, -1.9, 0xFF),
        (Element::I16, 65537.0, 1),
        (Element::I32, 4294967295.0, 0xFFFF_FFFF),
        (Element::I64, -1.0, u64::MAX),
        (Element::I64, 2f64.powi(64), 0),
        (Element::I64, 2f64.powi(63), 1 << 63),
        (Element::I64, 2f64.powi(1000), 0),
        (Element::I1, 3.0, 1),
        (Element::I4, -8.0, 8),
        (Element::I32, f64::NAN, 0),
        (Element::I32, f64::INFINITY, 0),
    ] {
        assert_eq!(encode(element, value), bits, "{element} {value}");
    }
    assert_eq!(decode_int(Element::I8, 0x80), -128);
    assert_eq!(decode_int(Element::I4, 0xF), -1);
    assert_eq!(decode_int(Element::I1, 1), 1);
    assert_eq!(decode_int(Element::I64, u64::MAX), -1);
    assert_eq!(int_range(Element::I8), (-128, 255));
    assert_eq!(int_range(Element::I1), (0, 1));
    assert_eq!(int_range(Element::I64), (i64::MIN.into(), u64::MAX.into()));
}

#[test]
fn buffers_round_trip() {
    for row in &ELEMENTS {
        let element = row.element;
        let values = [0.5, 1.0, 2.0, 4.0];
        let buffer = encode_all(element, &values);
        assert_eq!(buffer.len(), 4 * element.bytes());
        let want: Vec<f64> = values.iter().map(|value| round_to(element, *value)).collect();
        assert_eq!(decode_all(element, &buffer), want, "{element}");
        for (index, want) in want.iter().enumerate() {
            assert_eq!(decode(element, read(element, &buffer, index).unwrap()), *want, "{element}");
        }
        let mut copy = vec![0; buffer.len()];
        for index in 0..4 {
            assert!(write(element, &mut copy, index, read(element, &buffer, index).unwrap()));
        }
        assert_eq!(copy, buffer, "{element}");
        assert_eq!(read(element, &buffer, 4), None);
        assert_eq!(read(element, &buffer, usize::MAX), None);
        assert!(!write(element, &mut copy, 4, 0));
    }
}

#[test]
fn memory_is_read_leniently() {
    assert_eq!(read(Element::I1, &[7], 0), Some(1));
    assert_eq!(decode_all(Element::I1, &[0, 7]), [0.0, 1.0]);
    assert_eq!(read(Element::F4E2M1FN, &[0xF2], 0), Some(2));
    assert_eq!(decode_all(Element::I4, &[0xFF, 0x07]), [-1.0, 7.0]);
}

#[test]
fn whole_numbers_are_rounded_once() {
    // Just above a tie of `f32`, by less than `f64` can represent.
    let value = (1i128 << 60) + (1 << 36) + 1;
    assert_eq!(decode(Element::F32, encode_whole(Element::F32, value)), ((1i128 << 60) + (1 << 37)) as f64);
    assert_eq!(decode(Element::F32, encode_whole(Element::F32, value - 1)), (1i128 << 60) as f64);
    assert_eq!(encode_whole(Element::F32, -value), encode_whole(Element::F32, value) | 1 << 31);
    assert_eq!(encode_whole(Element::I8, -1), 0xFF);
    for value in [0, 1, -3, 448, 65504, 1 << 53, i64::MAX.into(), i64::MIN.into()] {
        assert_eq!(encode_whole(Element::F64, value), (value as f64).to_bits());
        assert_eq!(encode_whole(Element::F32, value), (value as f32).to_bits().into());
        assert_eq!(encode_whole(Element::F16, value), encode(Element::F16, value as f64));
    }
}
