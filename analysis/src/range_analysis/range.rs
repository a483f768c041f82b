//! Ranges of integers, and arithmetic on them.

/// The known range of a value's integers over all its elements, all tile blocks and all iterations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    /// None is lower.
    pub(super) low: i64,
    /// None is higher.
    pub(super) high: i64,
    /// Whether both bounds are met: some block, iteration or element has the lowest, and some the highest.
    pub(super) met: bool,
    /// The sources of variation, one bit for each block dimension, loop and list of numbers. Values that vary with
    /// different sources take all pairs of their bounds.
    pub(super) sources: u64,
}

impl Known {
    /// One number.
    pub(super) fn exactly(value: i64) -> Known {
        Known { low: value, high: value, met: true, sources: 0 }
    }

    /// Anything that an integer of `bits` bits, read as signed, can be.
    pub(super) fn any(bits: u32) -> Known {
        let high = i64::MAX >> (64 - bits.clamp(1, 64));
        Known { low: -high - 1, high, met: false, sources: 0 }
    }

    /// Bounds that need not be met.
    pub(super) fn within(low: i64, high: i64) -> Known {
        Known { low, high, met: false, sources: 0 }
    }

    /// Bounds that are met as a source of variation takes all its values.
    pub(super) fn varying(low: i64, high: i64, source: Option<u64>) -> Known {
        match source {
            _ if low == high => Known::exactly(low),
            Some(sources) => Known { low, high, met: true, sources },
            None => Known::within(low, high),
        }
    }

    /// The only number it can be.
    pub(super) fn only(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    /// The same bits, of which there are `bits`, read as unsigned.
    pub(super) fn unsigned(self, bits: u32) -> Known {
        let largest = u64::MAX >> (64 - bits.clamp(1, 64));
        match self.only() {
            _ if self.low >= 0 => self,
            Some(only) => i64::try_from(only as u64 & largest).map_or(Known::within(0, i64::MAX), Known::exactly),
            None => Known::within(0, i64::try_from(largest).unwrap_or(i64::MAX)),
        }
    }

    /// Whichever of the two it is.
    pub(super) fn or(self, other: Known) -> Known {
        if self == other {
            return self;
        }
        Known::within(self.low.min(other.low), self.high.max(other.high))
    }

    /// The part between two bounds. What lies wholly outside them becomes the nearest bound.
    pub(super) fn clamped(self, low: i64, high: i64) -> Known {
        if low <= self.low && self.high <= high {
            return self;
        }
        Known::within(self.low.clamp(low, high.max(low)), self.high.clamp(low, high.max(low)))
    }

    /// Applies a function that is monotone in each operand. A result that overflows `bits` bits can be anything.
    pub(super) fn monotone(self, other: Known, bits: u32, f: impl Fn(i128, i128) -> Option<i128>) -> Known {
        let corner = |a: i64, b: i64| f(a.into(), b.into());
        let corners = [
            corner(self.low, other.low),
            corner(self.low, other.high),
            corner(self.high, other.low),
            corner(self.high, other.high),
        ];
        let mut bounds: Option<(i128, i128)> = None;
        for corner in corners {
            let Some(value) = corner else { return Known::any(bits) };
            let (low, high) = bounds.unwrap_or((value, value));
            bounds = Some((low.min(value), high.max(value)));
        }
        let ((low, high), any) = (bounds.unwrap_or((0, 0)), Known::any(bits));
        if low < any.low.into() || high > any.high.into() {
            return any;
        }
        Known {
            low: low as i64,
            high: high as i64,
            met: self.met && other.met && self.sources & other.sources == 0,
            sources: self.sources | other.sources,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_met_only_by_values_that_vary_apart() {
        let x = Known::varying(0, 7, Some(1));
        let y = Known::varying(0, 3, Some(2));
        let sum = |a: Known, b: Known| a.monotone(b, 32, |a, b| Some(a + b));
        assert_eq!(sum(x, y), Known { low: 0, high: 10, met: true, sources: 3 });
        assert!(!sum(x, x).met, "x and 7 - x have the sum 7 everywhere");
        assert_eq!(sum(x, Known::exactly(1)), Known { low: 1, high: 8, met: true, sources: 1 });
    }

    #[test]
    fn what_wraps_can_be_anything() {
        let large = Known::exactly(i64::from(i32::MAX));
        assert_eq!(large.monotone(Known::exactly(1), 32, |a, b| Some(a + b)), Known::any(32));
        assert_eq!((Known::any(32).low, Known::any(32).high), (i32::MIN.into(), i32::MAX.into()));
        assert_eq!((Known::any(64).low, Known::any(1).high), (i64::MIN, 0));
    }

    #[test]
    fn a_clamp_that_changes_nothing_keeps_what_is_met() {
        let x = Known::varying(0, 7, Some(1));
        assert_eq!(x.clamped(0, 100), x);
        assert_eq!(x.clamped(2, 5), Known::within(2, 5));
    }
}
