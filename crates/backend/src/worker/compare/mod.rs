//! Element-wise comparison of the buffers that two targets produced.

mod products;

pub use products::Products;

use serde::{Deserialize, Serialize};
use std::fmt;
use tile_analysis::number::{self, shortest};
use tile_dialect::Element;
use tile_launch::expect::{Tolerance, default_tolerance};
use tile_launch::{Buffer, Expect, Value};

/// The comparison of a buffer with the result of the CPU engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// The parameter, without `%`.
    pub name: String,
    /// Its element type.
    pub element: String,
    /// Whether every element is within the tolerance.
    pub passed: bool,
    /// The relative tolerance.
    pub rtol: f64,
    /// The absolute tolerance.
    pub atol: f64,
    /// Whether the launch states the tolerance. Otherwise it is the default of the element type.
    pub is_stated: bool,
    /// The number of elements that were compared.
    pub elements: u64,
    /// The differences, if any.
    pub difference: Option<Difference>,
    /// The matrix products of the kernel, if they explain differences beyond the tolerance.
    pub products: Option<Products>,
    /// Elements outside of all tensor views that only the other target changed, if any.
    pub outside: Option<Outside>,
}

/// Elements outside of the tensor views that were written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outside {
    /// The number of elements.
    pub count: u64,
    /// The indices of the first one.
    pub first: Vec<u64>,
}

/// The differences between two buffers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The number of elements that differ.
    pub differ: u64,
    /// The indices of the first one.
    pub first: Vec<u64>,
    /// Its value on the CPU engine.
    pub expected: String,
    /// Its value on the other target.
    pub got: String,
    /// Their distance in units in the last place; `None` if exactly one is NaN.
    pub ulps: Option<u64>,
    /// The largest distance of any two elements; `None` if it is not defined for some.
    pub most_ulps: Option<u64>,
}

/// Compares all buffers. The tolerance is that of the launch's expectations, because it states the precision of the
/// kernel. Without one, `products` determine it.
pub(super) fn all(
    expects: &[Expect],
    products: Option<&Products>,
    expected: &[(String, Value)],
    got: &[(String, Value)],
) -> Vec<Compared> {
    let both = expected.iter().zip(got);
    let buffers = both.filter_map(|((name, expected), (_, got))| match (expected, got) {
        (Value::Buffer(expected), Value::Buffer(got)) => {
            Some(one(name, stated(expects, name, expected), products, expected, got))
        }
        _ => None,
    });
    buffers.collect()
}

/// Compares a buffer with this tolerance.
pub(super) fn within(name: &str, tolerance: Tolerance, expected: &Buffer, got: &Buffer) -> Compared {
    one(name, Some(tolerance), None, expected, got)
}

/// The tolerance that a launch states for a buffer; the largest if there are several.
fn stated(expects: &[Expect], name: &str, buffer: &Buffer) -> Option<Tolerance> {
    let all = tolerances(expects, name, buffer.element);
    all.reduce(larger).filter(|tolerance| *tolerance != default_tolerance(buffer.element))
}

/// The tolerance of an element type, or what expectations state for a buffer if that is larger.
pub(super) fn widest(expects: &[Expect], name: &str, element: Element) -> Tolerance {
    tolerances(expects, name, element).fold(default_tolerance(element), larger)
}

fn tolerances(expects: &[Expect], name: &str, element: Element) -> impl Iterator<Item = Tolerance> {
    let own = expects.iter().filter(move |expect| expect.output() == Some(name));
    own.filter_map(move |expect| expect.tolerance(element))
}

fn larger(a: Tolerance, b: Tolerance) -> Tolerance {
    Tolerance { rtol: a.rtol.max(b.rtol), atol: a.atol.max(b.atol) }
}

fn one(
    name: &str,
    stated: Option<Tolerance>,
    products: Option<&Products>,
    expected: &Buffer,
    got: &Buffer,
) -> Compared {
    let element = expected.element;
    let tolerance = stated.unwrap_or(default_tolerance(element));
    let mut compared = Compared {
        name: name.to_string(),
        element: element.name().to_string(),
        passed: true,
        rtol: tolerance.rtol,
        atol: tolerance.atol,
        is_stated: stated.is_some(),
        elements: expected.shape.iter().product(),
        difference: None,
        products: None,
        outside: None,
    };
    // The gaps between elements are compared too, because a kernel must not write there.
    if expected.bytes == got.bytes {
        return compared;
    }
    let size = element.bytes();
    let pairs = expected.bytes.chunks(size).zip(got.bytes.chunks(size)).map(|(a, b)| (bits(a), bits(b)));
    let products = products.filter(|_| stated.is_none() && !element.is_int());
    let slack = products.map_or(0.0, |products| products.expected() * largest(expected));
    for (place, (a, b)) in pairs.enumerate().filter(|(_, (a, b))| a != b) {
        let steps = ulps(element, a, b);
        if steps == Some(0) {
            continue; // different bits of NaN, or zeros of different sign
        }
        if !is_close(element, tolerance, a, b) {
            let is_explained = is_close(element, Tolerance { atol: tolerance.atol + slack, ..tolerance }, a, b);
            compared.passed &= is_explained;
            compared.products = compared.products.or_else(|| products.filter(|_| is_explained).cloned());
        }
        match &mut compared.difference {
            Some(difference) => {
                difference.differ += 1;
                difference.most_ulps = difference.most_ulps.zip(steps).map(|(most, steps)| most.max(steps));
            }
            none => {
                *none = Some(Difference {
                    differ: 1,
                    first: expected.indices(place as u64),
                    expected: shown(element, a),
                    got: shown(element, b),
                    ulps: steps,
                    most_ulps: steps,
                });
            }
        }
    }
    compared
}

fn bits(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte))
}

/// The position of a float among all values of its type, with zero at 0.
fn ordered(element: Element, bits: u64) -> i128 {
    let bits = number::significant(element, bits);
    let sign = 1 << (element.bits() - 1);
    // An unsigned type cannot represent -1.
    let is_negative = bits & sign != 0 && !number::round_to(element, -1.0).is_nan();
    if is_negative { -i128::from(bits & (sign - 1)) } else { i128::from(bits) }
}

/// The distance of two elements in units in the last place; `None` if exactly one is NaN.
fn ulps(element: Element, a: u64, b: u64) -> Option<u64> {
    if element.is_int() {
        return Some(number::decode_int(element, a).abs_diff(number::decode_int(element, b)));
    }
    match [a, b].map(|bits| number::decode(element, bits).is_nan()) {
        [true, true] => Some(0),
        [false, false] => u64::try_from((ordered(element, a) - ordered(element, b)).unsigned_abs()).ok(),
        _ => None,
    }
}

fn is_close(element: Element, tolerance: Tolerance, a: u64, b: u64) -> bool {
    let allowed = |expected: f64| tolerance.atol + tolerance.rtol * expected.abs();
    if element.is_int() {
        let [x, y] = [a, b].map(|bits| number::decode_int(element, bits));
        return x == y || x.abs_diff(y) as f64 <= allowed(x as f64);
    }
    let [x, y] = [a, b].map(|bits| number::decode(element, bits));
    // A tolerance relative to infinity would accept everything.
    x == y || x.is_nan() && y.is_nan() || x.is_finite() && (x - y).abs() <= allowed(x)
}

fn shown(element: Element, bits: u64) -> String {
    if element.is_int() {
        number::decode_int(element, bits).to_string()
    } else {
        shortest::real(element, number::decode(element, bits))
    }
}

/// The largest absolute value of the finite elements of a buffer.
pub(super) fn largest(buffer: &Buffer) -> f64 {
    numbers(buffer).map(f64::abs).filter(|size| size.is_finite()).fold(0.0, f64::max)
}

/// The largest difference of two buffers' elements, where it is finite.
pub(super) fn largest_difference(a: &Buffer, b: &Buffer) -> f64 {
    if a.bytes == b.bytes {
        return 0.0;
    }
    let all = numbers(a).zip(numbers(b)).map(|(a, b)| (a - b).abs());
    all.filter(|difference| difference.is_finite()).fold(0.0, f64::max)
}

fn numbers(buffer: &Buffer) -> impl Iterator<Item = f64> {
    let element = buffer.element;
    buffer.bytes.chunks(element.bytes()).map(move |bytes| match bits(bytes) {
        bits if element.is_int() => number::decode_int(element, bits) as f64,
        bits => number::decode(element, bits),
    })
}

/// `%c: same as on the CPU`, or the first and the largest difference.
impl fmt::Display for Compared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Compared { name, element, elements, passed, rtol, atol, is_stated, products, .. } = self;
        let Some(difference) = &self.difference else { return write!(f, "%{name}: same as on the CPU") };
        let Difference { differ, first, expected, got, ulps, most_ulps } = difference;
        let steps = |ulps: &Option<u64>| match ulps {
            Some(1) => "1 ulp".to_string(),
            Some(steps) => format!("{steps} ulps"),
            None => "an undefined number of ulps".to_string(),
        };
        write!(f, "%{name}: {differ} of {elements} elements differ from the CPU, the first at {first:?}: ")?;
        write!(f, "{got} instead of {expected}, {}; at most {}", steps(ulps), steps(most_ulps))?;
        if let Some(products) = products.as_ref().filter(|_| *passed) {
            return write!(f, " (within the precision of tensor cores: {products})");
        }
        write!(f, " ({} the tolerance of ", if *passed { "within" } else { "exceeds" })?;
        match is_stated {
            true => write!(f, "the launch, {})", Tolerance { rtol: *rtol, atol: *atol })?,
            false => write!(f, "{element})")?,
        }
        let Some(Outside { count, first }) = &self.outside else { return Ok(()) };
        let these = if *count == 1 { "1 of these is" } else { &format!("{count} of these are") };
        write!(f, "; {these} outside the tensor views, the first at {first:?}: the GPU wrote outside the view")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer(element: Element, shape: &[u64], strides: &[u64], numbers: &[u64]) -> Value {
        let bytes = numbers.iter().flat_map(|bits| bits.to_le_bytes()[..element.bytes()].to_vec()).collect();
        Value::Buffer(Buffer { element, shape: shape.to_vec(), strides: strides.to_vec(), bytes })
    }

    fn compared(element: Element, a: &[u64], b: &[u64]) -> Compared {
        let [a, b] = [a, b].map(|numbers| {
            let shape = [numbers.len() as u64 / 2, 2];
            vec![("c".to_string(), buffer(element, &shape, &[2, 1], numbers))]
        });
        all(&[], None, &a, &b).remove(0)
    }

    fn f32s(numbers: &[f32]) -> Vec<u64> {
        numbers.iter().map(|number| u64::from(number.to_bits())).collect()
    }

    #[test]
    fn the_first_difference_is_reported_in_ulps() {
        let one = 1.0f32;
        let next = f32::from_bits(one.to_bits() + 1);
        let same = compared(Element::F32, &f32s(&[one, 0.0]), &f32s(&[one, -0.0]));
        assert_eq!(
            (same.passed, same.difference.as_ref(), same.to_string().as_str()),
            (true, None, "%c: same as on the CPU")
        );
        let near = compared(Element::F32, &f32s(&[0.0, 3.0, one, 2.0]), &f32s(&[0.0, 3.0, next, 2.0]));
        assert_eq!(
            near.to_string(),
            "%c: 1 of 4 elements differ from the CPU, the first at [1, 0]: 1.0000001 instead of 1, 1 ulp; at most 1 ulp \
             (within the tolerance of f32)"
        );
        assert!(near.passed);
        let far = compared(Element::F32, &f32s(&[one, 2.0]), &f32s(&[next, f32::NAN]));
        let difference = far.difference.clone().expect("the buffers differ");
        assert_eq!((far.passed, difference.differ, difference.ulps, difference.most_ulps), (false, 2, Some(1), None));
        let infinite = compared(Element::F32, &f32s(&[f32::INFINITY, 0.0]), &f32s(&[1.0, 0.0]));
        assert!(!infinite.passed, "{infinite}");
        // The distance across zero.
        let least = f32::from_bits(1);
        let around = compared(Element::F32, &f32s(&[least, 0.0]), &f32s(&[-least, 0.0]));
        assert_eq!(around.difference.and_then(|difference| difference.ulps), Some(2));
    }

    #[test]
    fn a_launch_can_state_a_tolerance() {
        let expects = |lines: &str| {
            let text = format!("//@ launch\n{lines}");
            let launches = tile_launch::parse(&text, 0..text.len()).launches;
            launches.into_iter().flat_map(|launch| launch.expects).collect::<Vec<_>>()
        };
        let [a, b] = [[1.0f32, 2.0], [1.0, 2.001]]
            .map(|numbers| vec![("c".to_string(), buffer(Element::F32, &[2], &[1], &f32s(&numbers)))]);
        for (lines, passed, end) in [
            ("", false, "(exceeds the tolerance of f32)"),
            ("//@ expect %c ~= 1\n", false, "(exceeds the tolerance of f32)"),
            ("//@ expect %d ~= 1 atol=1\n", false, "(exceeds the tolerance of f32)"),
            ("//@ expect %c == 1\n", false, "(exceeds the tolerance of f32)"),
            ("//@ expect %c ~= 1 atol=2e-3\n", true, "(within the tolerance of the launch, rtol 1e-5, atol 0.002)"),
            ("//@ expect %c ~= 1 rtol=1e-4\n", false, "(exceeds the tolerance of the launch, rtol 0.0001, atol 1e-6)"),
            (
                "//@ expect %c ~= 1 rtol=1e-3\n//@ expect %c ~= 2 atol=0.1\n",
                true,
                "(within the tolerance of the launch, rtol 0.001, atol 0.1)",
            ),
        ] {
            let compared = all(&expects(lines), None, &a, &b).remove(0);
            let text = compared.to_string();
            assert!(compared.passed == passed && text.ends_with(end), "{lines}: {text}");
            assert!(text.contains("instead of 2, 4194 ulps; at most 4194 ulps"), "{text}");
        }
    }

    #[test]
    fn integers_and_narrow_floats_are_compared_in_their_own_ulps() {
        let bytes = compared(Element::I8, &[0xFF, 1], &[1, 1]);
        let difference = bytes.difference.expect("the buffers differ");
        assert_eq!((difference.expected.as_str(), difference.got.as_str(), difference.ulps), ("-1", "1", Some(2)));
        let halves = compared(Element::F16, &[0x3C00, 0], &[0x3C02, 0]);
        assert_eq!((halves.passed, halves.difference.and_then(|found| found.ulps)), (false, Some(2)));
        let scales = compared(Element::F8E8M0FNU, &[0x80, 0], &[0x7F, 0]);
        assert_eq!(scales.difference.and_then(|found| found.ulps), Some(1));
    }

    #[test]
    fn differences_of_tensor_cores_are_accepted() {
        let products =
            Products { factors: "f8E4M3FN".to_string(), accumulator: "f32".to_string(), length: 64, bits: 13 };
        // The tolerance is 2^-8 of the largest element, 16: 0.0625.
        let compare = |expects: &[Expect], got: [f32; 2]| {
            let [a, b] = [[16.0, 0.25], got]
                .map(|numbers| vec![("c".to_string(), buffer(Element::F32, &[2], &[1], &f32s(&numbers)))]);
            all(expects, Some(&products), &a, &b).remove(0)
        };
        let near = compare(&[], [16.0, 0.3125]);
        let text = near.to_string();
        assert!(near.passed && text.starts_with("%c: 1 of 2 elements differ"), "{text}");
        let end = "(within the precision of tensor cores: sums of 64 products of f8E4M3FN in f32 may be off by 3.9e-3 of \
                   the largest element)";
        assert!(text.ends_with(end), "{text}");
        let far = compare(&[], [16.0, 0.32]);
        assert!(!far.passed && far.to_string().ends_with("(exceeds the tolerance of f32)"), "{far}");
        let equal = compare(&[], [16.0, 0.25f32.next_up()]);
        assert_eq!(equal.products, None, "nothing to explain");
        // A tolerance that the launch states replaces this.
        let text = "//@ launch\n//@ expect %c ~= 1 atol=1e-3\n";
        let launches = tile_launch::parse(text, 0..text.len()).launches;
        assert!(!compare(&launches[0].expects, [16.0, 0.3125]).passed);
        let infinite = compare(&[], [f32::INFINITY, 0.25]);
        assert!(!infinite.passed, "{infinite}");
    }

    #[test]
    fn positions_in_transposed_buffers_become_indices() {
        let Value::Buffer(turned) = buffer(Element::I8, &[2, 3], &[1, 2], &[0; 6]) else { unreachable!() };
        assert_eq!(turned.indices(3), [1, 1]);
    }
}
