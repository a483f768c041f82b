//! Ranges of integers, and arithmetic on them.

/// The range of the integers in a value, over all its elements, all tile blocks and all iterations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct IntRange {
    /// The lower bound, inclusive.
    pub(super) low: i64,
    /// The upper bound, inclusive.
    pub(super) high: i64,
    /// Whether both bounds are attained: some block, iteration or element has the lowest value, and some the highest.
    pub(super) attained: bool,
    /// The sources that the value varies with, one bit for each block dimension, loop and list of numbers. Values with
    /// different sources take all combinations of their bounds.
    pub(super) sources: u64,
}

impl IntRange {
    /// A single number.
    pub(super) fn exactly(value: i64) -> IntRange {
        IntRange { low: value, high: value, attained: true, sources: 0 }
    }

    /// The range of a signed integer of `bits` bits.
    pub(super) fn any(bits: u32) -> IntRange {
        let high = i64::MAX >> (64 - bits.clamp(1, 64));
        IntRange { low: -high - 1, high, attained: false, sources: 0 }
    }

    /// Bounds that need not be attained.
    pub(super) fn within(low: i64, high: i64) -> IntRange {
        IntRange { low, high, attained: false, sources: 0 }
    }

    /// Bounds that are attained as a source of variation takes all its values.
    pub(super) fn varying(low: i64, high: i64, source: Option<u64>) -> IntRange {
        match source {
            _ if low == high => IntRange::exactly(low),
            Some(sources) => IntRange { low, high, attained: true, sources },
            None => IntRange::within(low, high),
        }
    }

    /// The only number in the range, if there is just one.
    pub(super) fn only(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    /// The range of the same `bits` bits, interpreted as unsigned.
    pub(super) fn unsigned(self, bits: u32) -> IntRange {
        let largest = u64::MAX >> (64 - bits.clamp(1, 64));
        match self.only() {
            _ if self.low >= 0 => self,
            Some(only) => i64::try_from(only as u64 & largest).map_or(IntRange::within(0, i64::MAX), IntRange::exactly),
            None => IntRange::within(0, i64::try_from(largest).unwrap_or(i64::MAX)),
        }
    }

    /// The union of two ranges.
    pub(super) fn or(self, other: IntRange) -> IntRange {
        if self == other {
            return self;
        }
        IntRange::within(self.low.min(other.low), self.high.max(other.high))
    }

    /// The part between two bounds. Values outside become the nearest bound.
    pub(super) fn clamped(self, low: i64, high: i64) -> IntRange {
        if low <= self.low && self.high <= high {
            return self;
        }
        IntRange::within(self.low.clamp(low, high.max(low)), self.high.clamp(low, high.max(low)))
    }

    /// The result of a function that is monotone in each operand. A result that does not fit `bits` bits may have
    /// wrapped to any value.
    pub(super) fn monotone(self, other: IntRange, bits: u32, f: impl Fn(i128, i128) -> Option<i128>) -> IntRange {
        let corner = |a: i64, b: i64| f(a.into(), b.into());
        let corners = [
            corner(self.low, other.low),
            corner(self.low, other.high),
            corner(self.high, other.low),
            corner(self.high, other.high),
        ];
        let mut bounds: Option<(i128, i128)> = None;
        for corner in corners {
            let Some(value) = corner else { return IntRange::any(bits) };
            let (low, high) = bounds.unwrap_or((value, value));
            bounds = Some((low.min(value), high.max(value)));
        }
        let ((low, high), any) = (bounds.unwrap_or((0, 0)), IntRange::any(bits));
        if low < any.low.into() || high > any.high.into() {
            return any;
        }
        IntRange {
            low: low as i64,
            high: high as i64,
            attained: self.attained && other.attained && self.sources & other.sources == 0,
            sources: self.sources | other.sources,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_attained_only_by_values_with_different_sources() {
        let x = IntRange::varying(0, 7, Some(1));
        let y = IntRange::varying(0, 3, Some(2));
        let sum = |a: IntRange, b: IntRange| a.monotone(b, 32, |a, b| Some(a + b));
        assert_eq!(sum(x, y), IntRange { low: 0, high: 10, attained: true, sources: 3 });
        assert!(!sum(x, x).attained, "x + x varies with a single source");
        assert_eq!(sum(x, IntRange::exactly(1)), IntRange { low: 1, high: 8, attained: true, sources: 1 });
    }

    #[test]
    fn a_result_that_wraps_can_be_anything() {
        let large = IntRange::exactly(i64::from(i32::MAX));
        assert_eq!(large.monotone(IntRange::exactly(1), 32, |a, b| Some(a + b)), IntRange::any(32));
        assert_eq!((IntRange::any(32).low, IntRange::any(32).high), (i32::MIN.into(), i32::MAX.into()));
        assert_eq!((IntRange::any(64).low, IntRange::any(1).high), (i64::MIN, 0));
    }

    #[test]
    fn a_clamp_without_effect_keeps_attained_bounds() {
        let x = IntRange::varying(0, 7, Some(1));
        assert_eq!(x.clamped(0, 100), x);
        assert_eq!(x.clamped(2, 5), IntRange::within(2, 5));
    }
}
