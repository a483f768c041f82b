//! The random numbers of `uniform` and `normal`, which are the same on every machine and in every version.
//!
//! Element `i` of a buffer, counted in row-major order from 0, is computed from output `i` of the generator SplitMix64
//! started with the seed, so that any element can be computed without those before it. Only additions, multiplications,
//! divisions and square roots of `f64` are used, whose results IEEE 754 defines exactly; no math library is involved.

/// The step of SplitMix64: 2^64 divided by the golden ratio.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// Output `index` of SplitMix64 (Steele, Lea and Flood, 2014) started with `seed`.
pub fn bits(seed: u64, index: u64) -> u64 {
    let mut x = seed.wrapping_add(STEP.wrapping_mul(index.wrapping_add(1)));
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// A number that is at least `low` and below `high`: `low` plus the span times the upper 53 bits as a fraction.
pub fn uniform(low: f64, high: f64, seed: u64, index: u64) -> f64 {
    let fraction = (bits(seed, index) >> 11) as f64 * 2f64.powi(-53);
    let value = low + fraction * (high - low);
    // The sum may round up to the bound.
    if value < high { value } else { high.next_down().max(low) }
}

/// An integer in `low..low + span`: `low` plus the upper half of the product of the bits and the span.
pub fn uniform_whole(low: i128, span: u128, seed: u64, index: u64) -> i128 {
    // No element type has a span above 2^64, which keeps the product within 128 bits.
    let span = span.min(1 << 64);
    let product = u128::from(bits(seed, index)).checked_mul(span).map_or(u128::MAX, |product| product);
    low + (product >> 64) as i128
}

/// A normally distributed number: the quantile of the probability (upper 52 bits + 1/2) / 2^52.
pub fn normal(mean: f64, deviation: f64, seed: u64, index: u64) -> f64 {
    let probability = ((bits(seed, index) >> 12) as f64 + 0.5) * 2f64.powi(-52);
    mean + deviation * normal_quantile(probability)
}

/// The value below which a standard normal variable lies with `probability`, which is neither 0 nor 1.
///
/// Algorithm AS 241 (Wichura, 1988): three quotients of polynomials, exact to about 16 digits.
pub fn normal_quantile(probability: f64) -> f64 {
    let offset = probability - 0.5;
    if offset.abs() <= 0.425 {
        let r = 0.180625 - offset * offset;
        return offset * polynomial(&CENTER.0, r) / polynomial(&CENTER.1, r);
    }
    let tail = if offset < 0.0 { probability } else { 1.0 - probability };
    let r = (-logarithm(tail)).sqrt();
    let (numerator, denominator, shift) = if r <= 5.0 { (&NEAR.0, &NEAR.1, 1.6) } else { (&FAR.0, &FAR.1, 5.0) };
    let magnitude = polynomial(numerator, r - shift) / polynomial(denominator, r - shift);
    if offset < 0.0 { -magnitude } else { magnitude }
}

/// The natural logarithm of a positive normal number, by the series of the inverse hyperbolic tangent.
fn logarithm(x: f64) -> f64 {
    let mut exponent = (x.to_bits() >> 52) as i64 - 1023;
    let mut fraction = f64::from_bits(x.to_bits() & ((1 << 52) - 1) | 1023 << 52);
    if fraction > std::f64::consts::SQRT_2 {
        fraction /= 2.0;
        exponent += 1;
    }
    let s = (fraction - 1.0) / (fraction + 1.0);
    let series = (0..13).rev().fold(0.0, |sum, term| sum * (s * s) + 1.0 / f64::from(2 * term + 1));
    exponent as f64 * std::f64::consts::LN_2 + 2.0 * s * series
}

/// The polynomial with these coefficients, the highest power first.
fn polynomial(coefficients: &[f64; 8], x: f64) -> f64 {
    coefficients.iter().fold(0.0, |sum, coefficient| sum * x + coefficient)
}

type Quotient = ([f64; 8], [f64; 8]);

#[allow(clippy::excessive_precision, clippy::unreadable_literal)] // as published
const CENTER: Quotient = (
    [
        2.5090809287301226727e3,
        3.3430575583588128105e4,
        6.7265770927008700853e4,
        4.5921953931549871457e4,
        1.3731693765509461125e4,
        1.9715909503065514427e3,
        1.3314166789178437745e2,
        3.3871328727963666080e0,
    ],
    [
        5.2264952788528545610e3,
        2.8729085735721942674e4,
        3.9307895800092710610e4,
        2.1213794301586595867e4,
        5.3941960214247511077e3,
        6.8718700749205790830e2,
        4.2313330701600911252e1,
        1.0,
    ],
);

#[allow(clippy::excessive_precision, clippy::unreadable_literal)] // as published
const NEAR: Quotient = (
    [
        7.74545014278341407640e-4,
        2.27238449892691845833e-2,
        2.41780725177450611770e-1,
        1.27045825245236838258e0,
        3.64784832476320460504e0,
        5.76949722146069140550e0,
        4.63033784615654529590e0,
        1.42343711074968357734e0,
    ],
    [
        1.05075007164441684324e-9,
        5.47593808499534494600e-4,
        1.51986665636164571966e-2,
        1.48103976427480074590e-1,
        6.89767334985100004550e-1,
        1.67638483018380384940e0,
        2.05319162663775882187e0,
        1.0,
    ],
);

#[allow(clippy::excessive_precision, clippy::unreadable_literal)] // as published
const FAR: Quotient = (
    [
        2.01033439929228813265e-7,
        2.71155556874348757815e-5,
        1.24266094738807843860e-3,
        2.65321895265761230930e-2,
        2.96560571828504891230e-1,
        1.78482653991729133580e0,
        5.46378491116411436990e0,
        6.65790464350110377720e0,
    ],
    [
        2.04426310338993978564e-15,
        1.42151175831644588870e-7,
        1.84631831751005468180e-5,
        7.86869131145613259100e-4,
        1.48753612908506148525e-2,
        1.36929880922735805310e-1,
        5.99832206555887937690e-1,
        1.0,
    ],
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_equal_published_outputs_of_splitmix64() {
        let published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431];
        for (index, expected) in published.into_iter().enumerate() {
            assert_eq!(bits(1234567, index as u64), expected);
        }
    }

    #[test]
    fn logarithm_agrees_with_the_standard_library() {
        for x in [2f64.powi(-53), 1e-9, 0.01, 0.075, 0.5, 0.7, 1.0, 1.5, 3.0] {
            assert!((logarithm(x) - x.ln()).abs() <= 4e-16 * x.ln().abs(), "{x}");
        }
    }

    #[test]
    fn quantiles_agree_with_tables() {
        for (probability, expected) in [
            (0.5, 0.0),
            (0.975, 1.959963984540054),
            (0.025, -1.959963984540054),
            (0.9, 1.2815515655446004),
            (1e-3, -3.090232306167813),
            (1e-12, -7.034483825301132),
        ] {
            let got = normal_quantile(probability);
            assert!((got - expected).abs() <= 1e-14 * (1.0 + expected.abs()), "{probability}: {got}");
        }
    }

    #[test]
    fn random_values_have_the_right_moments() {
        let count = 100_000;
        let normals: Vec<f64> = (0..count).map(|index| normal(3.0, 2.0, 7, index)).collect();
        let mean = normals.iter().sum::<f64>() / count as f64;
        let variance = normals.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count as f64;
        assert!((mean - 3.0).abs() < 0.03 && (variance - 4.0).abs() < 0.1, "{mean} {variance}");
        let uniforms: Vec<f64> = (0..count).map(|index| uniform(-1.0, 1.0, 7, index)).collect();
        assert!(uniforms.iter().all(|x| (-1.0..1.0).contains(x)));
        assert!((uniforms.iter().sum::<f64>() / count as f64).abs() < 0.01);
    }

    #[test]
    fn random_whole_numbers_cover_exactly_their_range() {
        let draws: Vec<i128> = (0..1000).map(|index| uniform_whole(-2, 5, 1, index)).collect();
        assert_eq!((draws.iter().min(), draws.iter().max()), (Some(&-2), Some(&2)));
        assert_eq!(uniform_whole(0, 1 << 64, 9, 0), i128::from(bits(9, 0)));
    }

    #[test]
    fn uniform_stays_below_a_bound_that_rounding_would_reach() {
        let high = 1.0f64.next_up();
        assert!((0..100).all(|index| uniform(1.0, high, 0, index) < high));
    }
}
