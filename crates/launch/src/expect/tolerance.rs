//! Tolerances of comparisons.

use std::fmt;
use tile_dialect::Element;

/// A value passes if it differs from the expected one by no more than `atol + rtol * |expected|`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tolerance {
    /// Relative to the expected value.
    pub rtol: f64,
    /// Absolute.
    pub atol: f64,
}

/// The default tolerance of an element type: a few units of its precision, so that sums of a usual length pass in any
/// order of summation, but a wrong formula does not.
///
/// | element | rtol | atol |
/// |---|---|---|
/// | `f64` | 1e-10 | 1e-12 |
/// | `f32` | 1e-5 | 1e-6 |
/// | `tf32`, `f16` | 1e-3 | 1e-4 |
/// | `bf16` | 1e-2 | 1e-3 |
/// | `f8E4M3FN`, `fnv8E5M3FNU` | 2^-3 | 2^-9 |
/// | `f8E5M2` | 2^-2 | 2^-16 |
/// | `f8E8M0FNU`, `f4E2M1FN` | 2^-1 | 0, 2^-1 |
/// | integers | 0 | 0 |
///
/// For 8-bit and narrower floats, `rtol` is the distance of adjacent values relative to a power of two, and `atol` is
/// the distance of adjacent subnormals.
pub fn default_tolerance(element: Element) -> Tolerance {
    let (rtol, atol) = match element {
        Element::F64 => (1e-10, 1e-12),
        Element::F32 => (1e-5, 1e-6),
        Element::TF32 | Element::F16 => (1e-3, 1e-4),
        Element::BF16 => (1e-2, 1e-3),
        Element::F8E4M3FN | Element::FNv8E5M3FNU => (0.125, 1.0 / 512.0),
        Element::F8E5M2 => (0.25, 1.0 / 65536.0),
        Element::F8E8M0FNU => (0.5, 0.0),
        Element::F4E2M1FN => (0.5, 0.5),
        _ => (0.0, 0.0),
    };
    Tolerance { rtol, atol }
}

/// The default tolerance of a gradient if this is the least precise element type of the buffers. It allows for the
/// error of finite differences.
///
/// | element | rtol | atol |
/// |---|---|---|
/// | `f64` | 1e-6 | 1e-8 |
/// | `f32` | 1e-3 | 1e-4 |
/// | `tf32`, `f16` | 2e-2 | 2e-3 |
/// | `bf16` and narrower | 1e-1 | 1e-2 |
pub(super) fn gradient_tolerance(element: Element) -> Tolerance {
    let (rtol, atol) = match element {
        Element::F64 => (1e-6, 1e-8),
        Element::F32 => (1e-3, 1e-4),
        Element::TF32 | Element::F16 => (2e-2, 2e-3),
        _ => (1e-1, 1e-2),
    };
    Tolerance { rtol, atol }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rtol {:?}, atol {:?}", self.rtol, self.atol)
    }
}

/// Writes the options of an expectation that state a tolerance.
pub(super) fn write_tolerance(f: &mut fmt::Formatter<'_>, rtol: Option<f64>, atol: Option<f64>) -> fmt::Result {
    let mut options = [("rtol", rtol), ("atol", atol)].into_iter();
    options.try_for_each(|(key, value)| value.map_or(Ok(()), |value| write!(f, " {key}={value:?}")))
}
