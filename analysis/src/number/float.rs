//! Floats: every format as data, one decoder and one encoder.

use tile_dialect::Element;

/// The direction in which an inexact value is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Rounding {
    /// To the nearest; of two equally near ones, to the one with an even code.
    #[default]
    NearestEven,
    /// To the nearest; of two equally near ones, away from zero.
    NearestAway,
    /// Towards zero.
    Zero,
    /// Towards positive infinity.
    PositiveInf,
    /// Towards negative infinity.
    NegativeInf,
}

/// The meaning of the codes at the top of the exponent range.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Top {
    /// The highest exponent is infinity and NaN.
    Ieee,
    /// Only the very last code is NaN.
    LastIsNan,
    /// All codes are finite.
    Finite,
}

#[derive(Clone, Copy)]
struct Format {
    exponent: u32,
    mantissa: u32,
    bias: i32,
    signed: bool,
    /// Whether exponent code 0 means zero and subnormals.
    subnormals: bool,
    top: Top,
    /// Whether values beyond the range become the largest finite one.
    saturates: bool,
}

fn format(element: Element) -> Format {
    use Top::*;
    let ieee = |exponent, mantissa| Format {
        exponent,
        mantissa,
        bias: (1 << (exponent - 1)) - 1,
        signed: true,
        subnormals: true,
        top: Ieee,
        saturates: false,
    };
    match element {
        Element::F16 => ieee(5, 10),
        Element::BF16 => ieee(8, 7),
        Element::TF32 => ieee(8, 10),
        Element::F32 => ieee(8, 23),
        Element::F8E5M2 => Format { saturates: true, ..ieee(5, 2) },
        Element::F8E4M3FN => Format { top: LastIsNan, saturates: true, ..ieee(4, 3) },
        Element::F4E2M1FN => Format { top: Finite, saturates: true, ..ieee(2, 1) },
        Element::FNv8E5M3FNU => Format { signed: false, top: LastIsNan, saturates: true, ..ieee(5, 3) },
        Element::F8E8M0FNU => {
            Format { signed: false, subnormals: false, top: LastIsNan, saturates: true, ..ieee(8, 0) }
        }
        _ => ieee(11, 52),
    }
}

impl Format {
    /// The number of bits below the sign.
    fn width(self) -> u32 {
        self.exponent + self.mantissa
    }

    /// The code of infinity, where there is one.
    fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.mantissa
    }

    fn largest(self) -> u64 {
        match self.top {
            Top::Ieee => self.infinity() - 1,
            Top::LastIsNan => (1 << self.width()) - 2,
            Top::Finite => (1 << self.width()) - 1,
        }
    }

    fn nan(self) -> u64 {
        match self.top {
            Top::Ieee => self.infinity() | 1 << (self.mantissa - 1),
            Top::LastIsNan => (1 << self.width()) - 1,
            Top::Finite => self.largest(),
        }
    }

    fn decode(self, bits: u64) -> f64 {
        let magnitude = bits & ((1 << self.width()) - 1);
        let negative = self.signed && bits >> self.width() & 1 == 1;
        let value = match self.top {
            Top::Ieee if magnitude == self.infinity() => f64::INFINITY,
            Top::Finite => self.finite(magnitude),
            _ if magnitude > self.largest() => return f64::NAN,
            _ => self.finite(magnitude),
        };
        if negative { -value } else { value }
    }

    fn finite(self, magnitude: u64) -> f64 {
        let field = (magnitude >> self.mantissa) as i32;
        let fraction = magnitude & ((1 << self.mantissa) - 1);
        let (significand, exponent) = if field == 0 && self.subnormals {
            (fraction, 1 - self.bias)
        } else {
            (fraction | 1 << self.mantissa, field - self.bias)
        };
        significand as f64 * power_of_two(exponent - self.mantissa as i32)
    }

    fn encode(self, value: f64, rounding: Rounding) -> u64 {
        if value.is_nan() || (value < 0.0 && !self.signed) {
            return self.nan();
        }
        let negative = value.is_sign_negative();
        let code = if value.is_infinite() {
            self.overflow(if self.saturates { Direction::Down } else { Direction::Up })
        } else {
            self.magnitude(value.abs(), Direction::of(rounding, negative))
        };
        code | u64::from(negative && self.signed) << self.width()
    }

    /// The code of a finite `value` that is not negative.
    fn magnitude(self, value: f64, direction: Direction) -> u64 {
        if value == 0.0 {
            return 0;
        }
        let (significand, exponent) = split(value);
        let smallest = if self.subnormals { 1 - self.bias } else { -self.bias };
        let leading = exponent + 52;
        if leading < smallest && !self.subnormals {
            return 0;
        }
        let binade = leading.max(smallest);
        let dropped = (binade - self.mantissa as i32 - exponent) as u32;
        // The leading one adds one to the exponent field, so that a significand which rounds up to the next power of two
        // carries into the exponent, and a subnormal one gets field 0, by themselves.
        let field = i64::from(binade + self.bias - 1);
        let kept = if dropped < 64 { significand >> dropped } else { 0 };
        let below = ((field << self.mantissa) + kept as i64) as u64;
        let code = below + u64::from(direction.rounds_up(below, remainder(significand, dropped)));
        if code <= self.largest() { code } else { self.overflow(direction) }
    }

    fn overflow(self, direction: Direction) -> u64 {
        match self.top {
            _ if self.saturates || direction == Direction::Down => self.largest(),
            Top::Ieee => self.infinity(),
            Top::LastIsNan | Top::Finite => self.nan(),
        }
    }
}

/// [`Rounding`] as seen by a magnitude.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    NearestEven,
    NearestAway,
    Down,
    Up,
}

impl Direction {
    fn of(rounding: Rounding, negative: bool) -> Direction {
        match rounding {
            Rounding::NearestEven => Direction::NearestEven,
            Rounding::NearestAway => Direction::NearestAway,
            Rounding::Zero => Direction::Down,
            Rounding::PositiveInf if negative => Direction::Down,
            Rounding::NegativeInf if !negative => Direction::Down,
            Rounding::PositiveInf | Rounding::NegativeInf => Direction::Up,
        }
    }

    fn rounds_up(self, below: u64, remainder: Remainder) -> bool {
        match self {
            Direction::NearestEven => {
                remainder == Remainder::AboveHalf || (remainder == Remainder::Half && below & 1 == 1)
            }
            Direction::NearestAway => matches!(remainder, Remainder::Half | Remainder::AboveHalf),
            Direction::Down => false,
            Direction::Up => remainder != Remainder::Exact,
        }
    }
}

/// The dropped bits compared with half a unit in the last place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Remainder {
    Exact,
    BelowHalf,
    Half,
    AboveHalf,
}

fn remainder(significand: u64, dropped: u32) -> Remainder {
    if dropped == 0 {
        return Remainder::Exact;
    }
    // The significand has at most 53 bits: with 64 dropped it lies below half.
    if dropped >= 64 {
        return Remainder::BelowHalf;
    }
    let rest = significand & ((1 << dropped) - 1);
    let half = 1 << (dropped - 1);
    match rest.cmp(&half) {
        _ if rest == 0 => Remainder::Exact,
        std::cmp::Ordering::Less => Remainder::BelowHalf,
        std::cmp::Ordering::Equal => Remainder::Half,
        std::cmp::Ordering::Greater => Remainder::AboveHalf,
    }
}

/// `value` as significand times a power of two, the significand's bit 52 set.
fn split(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let field = (bits >> 52 & 0x7FF) as i32;
    let fraction = bits & ((1 << 52) - 1);
    if field > 0 {
        return (fraction | 1 << 52, field - 1075);
    }
    let shift = fraction.leading_zeros() as i32 - 11;
    (fraction << shift, -1074 - shift)
}

/// 2^`exponent`, for the exponents that `f64` has as normal numbers.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// The unused low bits of the `f32` word that holds a `tf32`.
pub(super) const TF32_PADDING: u32 = 13;

pub(super) fn decode(element: Element, bits: u64) -> f64 {
    match element {
        Element::F64 => f64::from_bits(bits),
        Element::F32 => f32::from_bits(bits as u32).into(),
        // The hardware ignores the low bits of the word.
        Element::TF32 => format(element).decode(bits >> TF32_PADDING),
        _ => format(element).decode(bits),
    }
}

pub(super) fn encode(element: Element, value: f64, rounding: Rounding) -> u64 {
    match element {
        Element::F64 => value.to_bits(),
        Element::F32 if rounding == Rounding::NearestEven && !value.is_nan() => (value as f32).to_bits().into(),
        Element::TF32 => format(element).encode(value, rounding) << TF32_PADDING,
        _ => format(element).encode(value, rounding),
    }
}

/// As [`encode`], for a literal: nothing saturates, and a tie between powers of two goes to the larger one.
pub(super) fn encode_literal(element: Element, value: f64) -> u64 {
    match element {
        Element::F8E4M3FN | Element::F8E5M2 => {
            Format { saturates: false, ..format(element) }.encode(value, Rounding::NearestEven)
        }
        Element::F8E8M0FNU => encode(element, value, Rounding::NearestAway),
        _ => encode(element, value, Rounding::NearestEven),
    }
}

/// The largest finite value of a float element; infinite for integers.
pub fn largest(element: Element) -> f64 {
    match element {
        Element::F64 => f64::MAX,
        _ if element.is_int() => f64::INFINITY,
        _ => format(element).finite(format(element).largest()),
    }
}
