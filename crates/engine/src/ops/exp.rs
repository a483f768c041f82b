//! The exponential function for results of at most 32 bits, with vectorizable arithmetic that gives the same bits on
//! every processor.

/// `e^x` with an error of about one unit in the last place of `f64`, in the range of `f32`; far outside, a value that
/// `f32` rounds to infinity or zero.
#[inline(always)]
pub(crate) fn exp(x: f64) -> f64 {
    /// Adding it leaves an integer in the low bits.
    const WHOLE: f64 = 1.5 * (1u64 << 52) as f64;
    /// ln 2 in two parts: the product of the first part and a small integer is exact.
    const LN_2: [f64; 2] = [f64::from_bits(0x3FE6_2E42_FEE0_0000), f64::from_bits(0x3DEA_39EF_3579_3C76)];
    /// 1/12!, 1/11!, … 1/0!.
    const SERIES: [f64; 13] = series();
    let x = x.clamp(-200.0, 200.0);
    // e^x = 2^n e^r, with r between -ln 2 / 2 and ln 2 / 2.
    let shifted = x.mul_add(std::f64::consts::LOG2_E, WHOLE);
    let n = shifted - WHOLE;
    let r = n.mul_add(-LN_2[1], n.mul_add(-LN_2[0], x));
    let sum = SERIES.into_iter().fold(0.0, |sum: f64, factor| sum.mul_add(r, factor));
    let power = shifted.to_bits().wrapping_add(1023) << 52;
    sum * f64::from_bits(power)
}

const fn series() -> [f64; 13] {
    let mut series = [1.0; 13];
    let mut factorial = 1.0;
    let mut index = 1;
    while index < 13 {
        factorial *= index as f64;
        series[12 - index] = 1.0 / factorial;
        index += 1;
    }
    series
}

#[cfg(test)]
mod tests {
    use super::exp;

    #[test]
    fn agrees_with_the_library() {
        for step in -110_000..110_000 {
            let x = f64::from(step) * 1.0007e-3;
            let (found, expected) = (exp(x), x.exp());
            assert!((found - expected).abs() <= expected * 5e-16, "e^{x}: {found} {expected}");
        }
    }

    #[test]
    fn ends_are_exact() {
        let found = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, 89.0, -105.0, 1.0].map(|x| exp(x) as f32);
        assert_eq!(found, [1.0, 1.0, f32::INFINITY, 0.0, f32::INFINITY, 0.0, std::f32::consts::E]);
        assert!(exp(f64::NAN).is_nan());
    }
}
