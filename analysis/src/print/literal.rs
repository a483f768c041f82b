//! Numbers of constants. The printed text is parsed as the same bits.

use crate::ir::Dense;
use crate::number;
use std::fmt::Write;
use tile_dialect::Element;

/// Writes a number. A float is written as the shortest decimal that is parsed as the same value, or as a bit pattern if
/// there is none.
pub(super) fn number(out: &mut impl Write, element: Element, bits: u64) {
    let text = match element {
        Element::I1 => (bits & 1 == 1).to_string(),
        _ if element.is_int() => signed(element, bits).to_string(),
        _ => decimal(element, bits).unwrap_or_else(|| pattern(element, bits)),
    };
    let _ = out.write_str(&text);
}

/// The part of a generated name for a number: an integer, a non-negative float without a fraction, or `NaN`. `None` for
/// other floats.
pub(super) fn name_part(element: Element, bits: u64) -> Option<String> {
    if element.is_int() {
        return Some(signed(element, bits).to_string());
    }
    let value = number::decode(element, bits);
    if value.is_nan() {
        return Some("NaN".to_string());
    }
    let is_whole = value.fract() == 0.0 && (0.0..1e15).contains(&value) && value.is_sign_positive();
    is_whole.then(|| (value as u64).to_string())
}

/// Writes a constant: a single number, or nested lists in the shape of its tile.
pub(super) fn dense(out: &mut impl Write, dense: &Dense, shape: &[i64]) {
    if let [only] = *dense.bits {
        return number(out, dense.element, only);
    }
    // The number of elements in the brackets of each level. A list whose length differs from the shape is written flat.
    let mut sizes: Vec<usize> = Vec::with_capacity(shape.len());
    let mut size = 1usize;
    for &extent in shape.iter().rev() {
        size = size.saturating_mul(usize::try_from(extent).unwrap_or(usize::MAX));
        sizes.push(size);
    }
    if size != dense.bits.len() || sizes.contains(&0) {
        sizes = vec![dense.bits.len().max(1)];
    }
    for (index, &bits) in dense.bits.iter().enumerate() {
        if index > 0 {
            let _ = out.write_str(", ");
        }
        brackets(out, "[", &sizes, index);
        number(out, dense.element, bits);
        brackets(out, "]", &sizes, index + 1);
    }
    if dense.bits.is_empty() {
        let _ = out.write_str("[]");
    }
}

/// Writes a bracket for each list that starts or ends at an element.
fn brackets(out: &mut impl Write, bracket: &str, sizes: &[usize], index: usize) {
    for _ in sizes.iter().filter(|&&size| index.is_multiple_of(size)) {
        let _ = out.write_str(bracket);
    }
}

fn signed(element: Element, bits: u64) -> i64 {
    let unused = 64 - element.bits();
    (bits << unused) as i64 >> unused
}

fn decimal(element: Element, bits: u64) -> Option<String> {
    let value = number::decode(element, bits);
    if !value.is_finite() {
        return None;
    }
    let reads_back = |text: &str| text.parse::<f64>().is_ok_and(|value| number::encode_literal(element, value) == bits);
    let shortest = match element {
        Element::F64 => format!("{value:e}"),
        Element::F32 => format!("{:e}", value as f32),
        _ => (0..17).map(|digits| format!("{value:.digits$e}")).find(|text| reads_back(text))?,
    };
    reads_back(&shortest).then(|| to_literal(&shortest))
}

/// Converts scientific notation to a literal of the language, which has a dot: `1.5e-7` stays `1.5e-7`, `1e2` becomes
/// `100.0`.
fn to_literal(scientific: &str) -> String {
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let (first, rest) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let rest = rest.trim_end_matches('0');
    if !(-5..16).contains(&exponent) {
        let rest = if rest.is_empty() { "0" } else { rest };
        return format!("{sign}{first}.{rest}e{exponent:+}");
    }
    let digits = format!("{first}{rest}");
    if exponent < 0 {
        return format!("{sign}0.{}{digits}", "0".repeat(exponent.unsigned_abs() as usize - 1));
    }
    let point = exponent as usize + 1;
    if digits.len() <= point {
        format!("{sign}{digits}{}.0", "0".repeat(point - digits.len()))
    } else {
        format!("{sign}{}.{}", &digits[..point], &digits[point..])
    }
}

/// The bit pattern, in the width of the element.
fn pattern(element: Element, bits: u64) -> String {
    let pattern = number::significant(element, bits);
    format!("{pattern:#0width$X}", width = 2 + element.bits().div_ceil(4) as usize).replace("0X", "0x")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(element: Element, bits: u64) -> String {
        let mut out = String::new();
        number(&mut out, element, bits);
        out
    }

    #[test]
    fn floats_are_short_and_have_a_dot() {
        let cases: [(f32, &str); 9] = [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (1e-7, "1.0e-7"),
            (1.5e20, "1.5e+20"),
            (123456.0, "123456.0"),
            (16777215.0, "16777215.0"),
            (0.00012, "0.00012"),
            (f32::NAN, "0x7FC00000"),
        ];
        for (value, expected) in cases {
            assert_eq!(text(Element::F32, u64::from(value.to_bits())), expected);
        }
    }

    #[test]
    fn integers_are_signed_and_truth_values_are_words() {
        assert_eq!(text(Element::I8, 0xFF), "-1");
        assert_eq!(text(Element::I64, i64::MIN as u64), "-9223372036854775808");
        assert_eq!((text(Element::I1, 1), text(Element::I1, 0)), ("true".into(), "false".into()));
    }

    #[test]
    fn all_narrow_floats_are_distinct() {
        for element in [Element::F8E4M3FN, Element::F8E5M2, Element::F8E8M0FNU, Element::F4E2M1FN, Element::F16] {
            let mut seen = std::collections::HashSet::new();
            for bits in 0..1u64 << element.bits() {
                assert!(seen.insert(text(element, bits)), "{element}: {bits:#x} as {}", text(element, bits));
            }
        }
    }

    #[test]
    fn lists_are_nested_like_the_shape() {
        let mut out = String::new();
        let value = Dense { element: Element::I32, bits: (0..8).collect() };
        dense(&mut out, &value, &[2, 1, 4]);
        assert_eq!(out, "[[[0, 1, 2, 3]], [[4, 5, 6, 7]]]");
    }
}
