//! Exact arithmetic with a single rounding, for every rounding direction.
//!
//! A result consists of sign, significand and exponent, and a sticky bit for nonzero lower bits. It is rounded to an
//! `f64` in the requested direction, or *to odd*: rounding such a result once more, to fewer bits and in any direction,
//! equals rounding the exact result.

use crate::simd::narrow::computed;
use tile_analysis::number::Rounding;
use tile_dialect::Element;

/// A nonzero number: `significand * 2^exponent`, slightly more in magnitude if `sticky`.
#[derive(Clone, Copy, Debug)]
struct Exact {
    negative: bool,
    significand: u128,
    exponent: i32,
    sticky: bool,
}

/// The target of a rounding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ResultFormat {
    /// The element type.
    pub(crate) element: Element,
    /// The direction.
    pub(crate) rounding: Rounding,
    /// Whether results too small for a normal `f32` become zero.
    pub(crate) flush: bool,
}

/// The largest magnitudes that are flushed to zero: rounded to the precision of a normal `f32`, they are less than the
/// smallest one. As in hardware, this rounding assumes an unbounded exponent.
mod tiny {
    /// Rounded towards zero: the `f64` below the smallest normal `f32`.
    pub(crate) const TOWARDS_ZERO: f64 = f64::from_bits(SMALLEST - 1);
    /// Rounded away from zero: the largest number below it with 24 significant bits.
    pub(crate) const AWAY: f64 = f64::from_bits(SMALLEST - (1 << 29));
    /// Rounded to the nearest: the last before halfway, which goes to the smallest normal number.
    pub(crate) const NEAREST: f64 = f64::from_bits(SMALLEST - (1 << 28) - 1);
    /// 2^-126.
    const SMALLEST: u64 = (1023 - 126) << 52;
}

/// Rounds a product or a quotient of two `f32`, computed in `f64`, to the nearest `f32`; zero if it is too small for a
/// normal one. Neither can be close enough to a tie for the first rounding to matter.
#[inline(always)]
pub(crate) fn flushed(value: f64) -> f32 {
    if value.abs() <= tiny::NEAREST { 0f32.copysign(value as f32) } else { value as f32 }
}

impl ResultFormat {
    /// The bits of `a + b`.
    pub(crate) fn add(self, a: f64, b: f64) -> u64 {
        if !a.is_finite() || !b.is_finite() || (a == 0.0 && b == 0.0) {
            return self.special(a, b);
        }
        self.bits(match (Exact::of(a), Exact::of(b)) {
            (Some(a), Some(b)) => a.plus(b),
            (one, other) => one.or(other),
        })
    }

    /// The bits of `a * b`.
    pub(crate) fn mul(self, a: f64, b: f64) -> u64 {
        match Exact::pair(a, b) {
            Some((a, b)) => self.bits(Some(a.times(b))),
            None => self.plain(a * b),
        }
    }

    /// The bits of `a * b + c`.
    pub(crate) fn fma(self, a: f64, b: f64, c: f64) -> u64 {
        let Some((a_exact, b_exact)) = Exact::pair(a, b) else {
            // The product is a zero, an infinity or NaN, and so rounded already.
            return self.add(a * b, c);
        };
        if !c.is_finite() {
            return self.plain(c);
        }
        let product = a_exact.times(b_exact);
        self.bits(match Exact::of(c) {
            Some(c) => product.plus(c),
            None => Some(product),
        })
    }

    /// The bits of `a / b`.
    pub(crate) fn div(self, a: f64, b: f64) -> u64 {
        match Exact::pair(a, b) {
            Some((a, b)) => self.bits(Some(a.over(b))),
            None => self.plain(a / b),
        }
    }

    /// The bits of the square root of `a`.
    pub(crate) fn sqrt(self, a: f64) -> u64 {
        match Exact::of(a) {
            Some(exact) if a > 0.0 && a.is_finite() => self.bits(Some(exact.root())),
            _ => self.plain(a.sqrt()),
        }
    }

    /// A sum that needs no rounding: of zeros, infinities and NaN.
    fn special(self, a: f64, b: f64) -> u64 {
        if a == 0.0 && b == 0.0 && a.is_sign_negative() != b.is_sign_negative() {
            return self.bits(None);
        }
        self.plain(a + b)
    }

    /// A value that is exact or rounded to odd.
    fn plain(self, value: f64) -> u64 {
        computed(self.element, if self.is_flushed(value) { 0f64.copysign(value) } else { value }, self.rounding)
    }

    fn is_flushed(self, value: f64) -> bool {
        let away = if value < 0.0 { Rounding::NegativeInf } else { Rounding::PositiveInf };
        let limit = match self.rounding {
            Rounding::NearestEven | Rounding::NearestAway => tiny::NEAREST,
            rounding if rounding == away => tiny::AWAY,
            _ => tiny::TOWARDS_ZERO,
        };
        self.flush && value.abs() <= limit
    }

    /// The rounded bits; `None` is a zero that came from a difference, which is negative only when rounding downwards.
    fn bits(self, exact: Option<Exact>) -> u64 {
        match exact {
            None => self.plain(if self.rounding == Rounding::NegativeInf { -0.0 } else { 0.0 }),
            Some(exact) if self.element == Element::F64 => exact.round(Some(self.rounding)).to_bits(),
            Some(exact) => self.plain(exact.round(None)),
        }
    }
}

/// The highest bit of a significand before an addition.
const TOP: u32 = 125;

impl Exact {
    /// A finite value; `None` for zero.
    fn of(value: f64) -> Option<Exact> {
        let bits = value.to_bits();
        let field = (bits >> 52 & 0x7FF) as i32;
        let fraction = bits & ((1 << 52) - 1);
        let significand = if field == 0 { fraction } else { fraction | 1 << 52 };
        let exponent = field.max(1) - 1075;
        let negative = value.is_sign_negative();
        (significand != 0).then_some(Exact { negative, significand: significand.into(), exponent, sticky: false })
    }

    /// Two values that are finite and not zero.
    fn pair(a: f64, b: f64) -> Option<(Exact, Exact)> {
        if a.is_finite() && b.is_finite() { Exact::of(a).zip(Exact::of(b)) } else { None }
    }

    /// The position of the highest bit.
    fn top(self) -> u32 {
        127 - self.significand.leading_zeros()
    }

    /// The same number, normalized so that its highest bit is `top`.
    fn raised(self, top: u32) -> Exact {
        let shift = top - self.top();
        Exact { significand: self.significand << shift, exponent: self.exponent - shift as i32, ..self }
    }

    fn times(self, other: Exact) -> Exact {
        Exact {
            negative: self.negative != other.negative,
            significand: self.significand * other.significand,
            exponent: self.exponent + other.exponent,
            sticky: false,
        }
    }

    fn over(self, other: Exact) -> Exact {
        let raised = self.raised(126);
        let (quotient, rest) = (raised.significand / other.significand, raised.significand % other.significand);
        Exact {
            negative: self.negative != other.negative,
            significand: quotient,
            exponent: raised.exponent - other.exponent,
            sticky: rest != 0,
        }
    }

    fn root(self) -> Exact {
        // An even exponent, so that the root's is an integer.
        let raised = self.raised(if (self.exponent - (125 - self.top() as i32)) % 2 == 0 { 125 } else { 126 });
        let root = raised.significand.isqrt();
        let sticky = root * root != raised.significand;
        Exact { negative: false, significand: root, exponent: raised.exponent / 2, sticky }
    }

    /// The sum; `None` for zero. Neither number is sticky.
    fn plus(self, other: Exact) -> Option<Exact> {
        let (a, b) = (self.raised(TOP), other.raised(TOP));
        let (big, small) = if (a.exponent, a.significand) >= (b.exponent, b.significand) { (a, b) } else { (b, a) };
        let distance = (big.exponent - small.exponent) as u32;
        let shifted = small.significand.checked_shr(distance).unwrap_or(0);
        let sticky = shifted.checked_shl(distance).unwrap_or(0) != small.significand;
        let significand = if big.negative == small.negative {
            big.significand + shifted
        } else {
            big.significand - shifted - u128::from(sticky)
        };
        (significand != 0).then_some(Exact { significand, sticky, ..big })
    }

    /// The `f64` in that direction; without one, rounded to odd.
    fn round(self, rounding: Option<Rounding>) -> f64 {
        let highest = self.exponent + self.top() as i32;
        let unit = (highest - 52).max(-1074);
        let shift = unit - self.exponent;
        let (kept, rest) = if shift <= 0 {
            (self.significand << -shift, self.sticky)
        } else {
            let kept = self.significand.checked_shr(shift as u32).unwrap_or(0);
            let back = kept.checked_shl(shift as u32).unwrap_or(0);
            (kept, self.sticky || back != self.significand)
        };
        let half = self.half(shift, rest);
        let kept = kept as u64;
        let rounded = match rounding {
            None => kept | u64::from(rest),
            Some(Rounding::Zero) => kept,
            Some(Rounding::PositiveInf) => kept + u64::from(rest && !self.negative),
            Some(Rounding::NegativeInf) => kept + u64::from(rest && self.negative),
            Some(Rounding::NearestAway) => kept + u64::from(half.is_ge()),
            Some(Rounding::NearestEven) => kept + u64::from(half.is_gt() || (half.is_eq() && kept & 1 == 1)),
        };
        self.assembled(rounded, unit, rounding)
    }

    /// Compares the dropped bits with half a unit in the last place.
    fn half(self, shift: i32, rest: bool) -> std::cmp::Ordering {
        if shift <= 0 || !rest {
            return std::cmp::Ordering::Less;
        }
        let half = 1u128.checked_shl(shift as u32 - 1).unwrap_or(u128::MAX);
        let dropped = if shift >= 128 { self.significand } else { self.significand & ((half << 1).wrapping_sub(1)) };
        dropped.cmp(&half).then(if self.sticky { std::cmp::Ordering::Greater } else { std::cmp::Ordering::Equal })
    }

    fn assembled(self, significand: u64, unit: i32, rounding: Option<Rounding>) -> f64 {
        let carried = significand >> 53 == 1;
        let (significand, unit) = if carried { (significand >> 1, unit + 1) } else { (significand, unit) };
        let field = if significand >> 52 == 1 { (unit + 1075) as u64 } else { 0 };
        let magnitude = if field >= 0x7FF {
            let stays = match rounding {
                None | Some(Rounding::Zero) => true,
                Some(Rounding::PositiveInf) => self.negative,
                Some(Rounding::NegativeInf) => !self.negative,
                Some(Rounding::NearestEven | Rounding::NearestAway) => false,
            };
            if stays { f64::MAX } else { f64::INFINITY }
        } else {
            f64::from_bits(field << 52 | significand & ((1 << 52) - 1))
        };
        if self.negative { -magnitude } else { magnitude }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIRECTIONS: [Rounding; 3] = [Rounding::Zero, Rounding::PositiveInf, Rounding::NegativeInf];

    fn double(rounding: Rounding) -> ResultFormat {
        ResultFormat { element: Element::F64, rounding, flush: false }
    }

    /// Random bits, some of them with exponents near each other or at the ends of the range.
    fn samples() -> Vec<f64> {
        let mut random = fastrand::Rng::with_seed(1);
        let mut next = || random.u64(..);
        let mut found = vec![0.0, -0.0, 1.0, -1.0, f64::MAX, f64::MIN_POSITIVE, 5e-324, -5e-324, f64::INFINITY, 3.0];
        for index in 0..60 {
            let bits = next();
            found.push(match index % 3 {
                0 => f64::from_bits(bits),
                1 => f64::from_bits(bits & !(0x7FF << 52) | (1000 + bits % 47) << 52),
                _ => f64::from_bits(bits & !(0x7FF << 52) | (bits % 60) << 52),
            });
        }
        found.retain(|value| !value.is_nan());
        found
    }

    #[test]
    fn nearest_even_agrees_with_the_processor() {
        let target = double(Rounding::NearestEven);
        let same = |bits: u64, value: f64, op: &str| {
            let found = f64::from_bits(bits);
            assert!(
                found.to_bits() == value.to_bits() || found.is_nan() && value.is_nan(),
                "{op}: {found:e} {value:e}"
            );
        };
        for a in samples() {
            same(target.sqrt(a), a.sqrt(), "sqrt");
            for b in samples() {
                same(target.add(a, b), a + b, "add");
                same(target.mul(a, b), a * b, "mul");
                same(target.div(a, b), a / b, "div");
                // The C library of MinGW, which no release uses, rounds `fma` twice.
                let is_exact = !cfg!(all(windows, target_env = "gnu"));
                for c in samples().into_iter().step_by(5).filter(|_| is_exact) {
                    same(target.fma(a, b, c), a.mul_add(b, c), "fma");
                }
            }
        }
    }

    #[test]
    fn directed_results_enclose_the_nearest_one() {
        let ordered = |a: f64, b: f64| a <= b || a.is_nan() || b.is_nan();
        for a in samples() {
            for b in samples() {
                let [zero, up, down] = DIRECTIONS.map(|rounding| f64::from_bits(double(rounding).div(a, b)));
                assert!(ordered(down, a / b) && ordered(a / b, up), "{a:e} / {b:e}");
                assert!(zero == down || zero == up || zero.is_nan());
                assert!(up == down || down.next_up() == up || up.is_nan(), "{a:e} / {b:e}: {down:e} {up:e}");
                let [_, up, down] = DIRECTIONS.map(|rounding| f64::from_bits(double(rounding).add(a, b)));
                assert!(ordered(down, a + b) && ordered(a + b, up), "{a:e} + {b:e}");
                assert!(up == down || down.next_up() == up || up.is_nan(), "{a:e} + {b:e}: {down:e} {up:e}");
            }
        }
    }

    #[test]
    fn singles_round_once() {
        let target = |rounding| ResultFormat { element: Element::F32, rounding, flush: false };
        let single = |bits: u64| f32::from_bits(bits as u32);
        assert_eq!(single(target(Rounding::PositiveInf).add(1.0, 1e-30)), 1.0f32.next_up());
        assert_eq!(single(target(Rounding::NegativeInf).add(1.0, 1e-30)), 1.0);
        assert_eq!(single(target(Rounding::NegativeInf).add(1.0, -1e-30)), 1.0f32.next_down());
        assert_eq!(single(target(Rounding::Zero).div(1.0, 3.0)), 0.333_333_3);
        assert_eq!(single(target(Rounding::PositiveInf).div(1.0, 3.0)), 0.333_333_34);
        assert_eq!(single(target(Rounding::Zero).mul(3e38, 3e38)), f32::MAX);
        assert_eq!(single(target(Rounding::PositiveInf).mul(3e38, 3e38)), f32::INFINITY);
        assert_eq!(single(target(Rounding::PositiveInf).mul(1e-40, 1e-40)), f32::from_bits(1));
        assert_eq!(target(Rounding::NegativeInf).add(1.0, -1.0), 0x8000_0000);
        assert_eq!(target(Rounding::Zero).add(1.0, -1.0), 0);
        assert_eq!(single(target(Rounding::PositiveInf).sqrt(2.0)), 2f32.sqrt().next_up());
        let smallest = f64::from(f32::MIN_POSITIVE);
        for (rounding, factor, expected) in [
            (Rounding::NearestEven, 1.0 - 2f64.powi(-25), f32::MIN_POSITIVE),
            (Rounding::NearestEven, 1.0 - 2f64.powi(-25) - 2f64.powi(-50), 0.0),
            (Rounding::Zero, 1.0 - 2f64.powi(-50), 0.0),
            (Rounding::PositiveInf, 1.0 - 2f64.powi(-50), f32::MIN_POSITIVE),
            (Rounding::PositiveInf, 1.0 - 2f64.powi(-24), 0.0),
            (Rounding::NegativeInf, 1.0 - 2f64.powi(-50), 0.0),
        ] {
            let found = single(ResultFormat { flush: true, ..target(rounding) }.mul(smallest, factor));
            assert_eq!(found, expected, "{rounding:?} {factor:?}");
        }
        let little = 2f64.powi(-12);
        assert_eq!(single(target(Rounding::NearestEven).fma(1.0 + little, 1.0 - little, -1.0)), -(2f32.powi(-24)));
    }
}
