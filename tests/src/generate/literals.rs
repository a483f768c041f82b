//! Random numbers as literals of programs and of launches.

use super::types::{Tile, signed_range};
use fastrand::Rng;
use tile_analysis::number::{decode, decode_int};
use tile_dialect::Element;

/// The numbers that a tile contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Range {
    /// Any bits, often those of special numbers.
    Any,
    /// Whole numbers from -4 to 4, whose products and sums every float type with enough bits represents exactly.
    Small,
    /// Numbers that are not negative, not NaN and not infinite.
    Positive,
}

/// A literal of a program for one element.
fn literal(rng: &mut Rng, element: Element, range: Range) -> String {
    let bits = bits(rng, element, range);
    if element == Element::I1 {
        return (bits == 1).to_string();
    }
    if element.is_int() {
        return decode_int(element, bits).to_string();
    }
    format!("0x{bits:0width$X}", width = (element.bits() as usize).div_ceil(4))
}

/// A literal of a launch for one element.
pub(super) fn number(rng: &mut Rng, element: Element, range: Range) -> String {
    shown(element, bits(rng, element, range))
}

/// The literal of a launch that has these bits; all NaNs have the same one.
pub(super) fn shown(element: Element, bits: u64) -> String {
    if element.is_int() {
        return decode_int(element, bits).to_string();
    }
    let value = decode(element, bits);
    match value {
        _ if value.is_nan() => "nan".to_string(),
        _ if value.is_infinite() => if value > 0.0 { "inf" } else { "-inf" }.to_string(),
        _ if value != 0.0 && !(1e-4..1e6).contains(&value.abs()) => format!("{value:e}"),
        _ => format!("{value:?}"),
    }
}

/// The bits of a random number.
fn bits(rng: &mut Rng, element: Element, range: Range) -> u64 {
    let mask = u64::MAX >> (64 - element.bits());
    if element.is_int() {
        return mask & int(rng, element, range);
    }
    let random = |rng: &mut Rng| match range {
        Range::Any if rng.u32(..3) == 0 => rng.u64(..) & mask,
        Range::Small => tile_analysis::number::encode(element, f64::from(rng.i32(-4..=4))),
        _ => {
            let value: f64 =
                [0.0, 1.0, -1.0, 0.5, 1.5, 2.0, -3.0, 6.0, 0.1, -0.3, 1e-3, 100.0, 448.0, 0.007_812_5][rng.usize(..14)];
            tile_analysis::number::encode(element, if range == Range::Positive { value.abs() } else { value })
        }
    };
    loop {
        let bits = random(rng) & mask;
        let value = decode(element, bits);
        if range == Range::Any || value.is_finite() && (range != Range::Positive || value.is_sign_positive()) {
            return bits;
        }
    }
}

fn int(rng: &mut Rng, element: Element, range: Range) -> u64 {
    let (low, high) = signed_range(element);
    let value = match range {
        Range::Small => rng.i64(-4..=4),
        Range::Positive => rng.i64(0..=4).min(high),
        Range::Any => match rng.u32(..8) {
            0 => low,
            1 => high,
            2 => -1,
            3 | 4 => rng.i64(-9..=9),
            _ => rng.i64(..),
        },
    };
    value as u64
}

/// A constant: `<f32: 0x3F800000>`, or a nested list in the shape of the tile.
pub(super) fn constant(rng: &mut Rng, tile: &Tile, range: Range) -> String {
    let value = if tile.shape.is_empty() || rng.bool() {
        literal(rng, tile.element, range)
    } else {
        nested(rng, tile.element, &tile.shape, range)
    };
    format!("<{}: {value}>", tile.element)
}

fn nested(rng: &mut Rng, element: Element, shape: &[u32], range: Range) -> String {
    match shape {
        [] => literal(rng, element, range),
        [extent, inner @ ..] => {
            let items: Vec<String> = (0..*extent).map(|_| nested(rng, element, inner, range)).collect();
            format!("[{}]", items.join(", "))
        }
    }
}
