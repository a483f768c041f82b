//! Element-wise operations.

use super::super::shape::{broadcast, broadcast_strides, offsets};
use super::array::{Array, Data, size_of};
use super::{Binary, Function};

/// Applies a binary operator to two arrays, which are broadcast to a common shape of at most `most` elements.
pub(super) fn binary(op: Binary, left: Array, right: Array, most: usize) -> Result<Array, String> {
    let shape = common_shape(&[&left, &right], most)?;
    let data = match (left.data(), right.data()) {
        (Data::Whole(a), Data::Whole(b)) if stays_whole(op, b) => {
            Data::Whole(combine(&shape, (left.shape(), a), (right.shape(), b), |a, b| whole(op, a, b)))
        }
        _ => return Ok(real_binary(op, left, right, shape)),
    };
    Ok(Array::with_data(shape, data))
}

fn real_binary(op: Binary, left: Array, right: Array, shape: Vec<usize>) -> Array {
    let (left_shape, right_shape) = (left.shape().to_vec(), right.shape().to_vec());
    let (a, b) = (left.into_data().into_real(), right.into_data().into_real());
    let (a, b) = ((&left_shape[..], &a[..]), (&right_shape[..], &b[..]));
    let data = match comparison(op) {
        Some(holds) => Data::Whole(combine(&shape, a, b, |a: f64, b: f64| i64::from(holds(a.partial_cmp(&b))))),
        None => Data::Real(combine(&shape, a, b, |a, b| real(op, a, b))),
    };
    Array::with_data(shape, data)
}

/// Selects elements of `yes` where `condition` is not 0, and of `no` elsewhere.
pub(super) fn choose(condition: Array, yes: Array, no: Array, most: usize) -> Result<Array, String> {
    let shape = common_shape(&[&condition, &yes, &no], most)?;
    let condition_data = match condition.data() {
        Data::Real(values) => values.iter().map(|value| *value != 0.0).collect::<Vec<_>>(),
        Data::Whole(values) => values.iter().map(|value| *value != 0).collect(),
    };
    let condition = (condition.shape(), &condition_data[..]);
    let data = match (yes.data(), no.data()) {
        (Data::Whole(a), Data::Whole(b)) => Data::Whole(pick(&shape, condition, (yes.shape(), a), (no.shape(), b))),
        _ => {
            let (yes_shape, no_shape) = (yes.shape().to_vec(), no.shape().to_vec());
            let (a, b) = (yes.into_data().into_real(), no.into_data().into_real());
            Data::Real(pick(&shape, condition, (&yes_shape, &a), (&no_shape, &b)))
        }
    };
    Ok(Array::with_data(shape, data))
}

/// A shape and its elements.
type View<'a, T> = (&'a [usize], &'a [T]);

fn pick<T: Copy>(shape: &[usize], condition: View<'_, bool>, yes: View<'_, T>, no: View<'_, T>) -> Vec<T> {
    let places = |from: &[usize]| offsets(0, shape, &broadcast_strides(from, shape));
    let operands = places(yes.0).zip(places(no.0));
    places(condition.0).zip(operands).map(|(c, (a, b))| if condition.1[c] { yes.1[a] } else { no.1[b] }).collect()
}

fn common_shape(arrays: &[&Array], most: usize) -> Result<Vec<usize>, String> {
    let mut shape = vec![];
    for array in arrays {
        shape = broadcast(&shape, array.shape()).ok_or_else(|| {
            let shapes: Vec<String> = arrays.iter().map(|array| array.describe()).collect();
            format!("the shapes {} cannot be broadcast together", shapes.join(" and "))
        })?;
    }
    size_of(&shape, most)?;
    Ok(shape)
}

fn combine<T: Copy, R>(shape: &[usize], left: View<'_, T>, right: View<'_, T>, f: impl Fn(T, T) -> R) -> Vec<R> {
    match (left.1, right.1) {
        (a, b) if left.0 == right.0 => a.iter().zip(b).map(|(a, b)| f(*a, *b)).collect(),
        (a, [b]) if left.0 == shape => a.iter().map(|a| f(*a, *b)).collect(),
        ([a], b) if right.0 == shape => b.iter().map(|b| f(*a, *b)).collect(),
        (a, b) => {
            let places = |from: &[usize]| offsets(0, shape, &broadcast_strides(from, shape));
            places(left.0).zip(places(right.0)).map(|(i, j)| f(a[i], b[j])).collect()
        }
    }
}

fn stays_whole(op: Binary, right: &[i64]) -> bool {
    match op {
        Binary::Divide => false,
        Binary::Power => right.iter().all(|exponent| *exponent >= 0),
        _ => true,
    }
}

fn whole(op: Binary, a: i64, b: i64) -> i64 {
    match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Subtract => a.wrapping_sub(b),
        Binary::Multiply => a.wrapping_mul(b),
        Binary::Power => whole_power(a, b),
        Binary::Maximum => a.max(b),
        Binary::Minimum => a.min(b),
        _ => comparison(op).map_or(0, |holds| i64::from(holds(Some(a.cmp(&b))))),
    }
}

fn whole_power(mut base: i64, mut exponent: i64) -> i64 {
    let mut power = 1i64;
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = power.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent >>= 1;
    }
    power
}

fn real(op: Binary, a: f64, b: f64) -> f64 {
    match op {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Divide => a / b,
        Binary::Power => libm::pow(a, b),
        Binary::Maximum => larger(a, b),
        Binary::Minimum => -larger(-a, -b),
        _ => f64::NAN,
    }
}

/// The larger number; NaN if either is NaN, as in NumPy.
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

type Holds = fn(Option<std::cmp::Ordering>) -> bool;

/// The orderings for which a comparison holds, with `None` for unordered operands; `None` if the operator is not a
/// comparison.
fn comparison(op: Binary) -> Option<Holds> {
    Some(match op {
        Binary::Less => |order| order.is_some_and(|order| order.is_lt()),
        Binary::LessEqual => |order| order.is_some_and(|order| order.is_le()),
        Binary::Greater => |order| order.is_some_and(|order| order.is_gt()),
        Binary::GreaterEqual => |order| order.is_some_and(|order| order.is_ge()),
        Binary::Equal => |order| order.is_some_and(|order| order.is_eq()),
        Binary::NotEqual => |order| order.is_none_or(|order| order.is_ne()),
        _ => return None,
    })
}

/// Negates each number.
pub(super) fn negate(of: Array) -> Array {
    map(of, |value| -value, i64::wrapping_neg)
}

fn map(of: Array, real: impl Fn(f64) -> f64, whole: impl Fn(i64) -> i64) -> Array {
    let shape = of.shape().to_vec();
    let data = match of.into_data() {
        Data::Real(values) => Data::Real(values.into_iter().map(real).collect()),
        Data::Whole(values) => Data::Whole(values.into_iter().map(whole).collect()),
    };
    Array::with_data(shape, data)
}

/// Applies a function to each number.
pub(super) fn apply(function: Function, of: Array) -> Array {
    match function {
        Function::Abs => map(of, f64::abs, i64::wrapping_abs),
        Function::Floor => map(of, f64::floor, |value| value),
        Function::Ceil => map(of, f64::ceil, |value| value),
        _ => {
            let shape = of.shape().to_vec();
            let values = of.into_data().into_real().into_iter().map(real_function(function)).collect();
            Array::with_data(shape, Data::Real(values))
        }
    }
}

fn real_function(function: Function) -> fn(f64) -> f64 {
    match function {
        Function::Exp => libm::exp,
        Function::Exp2 => libm::exp2,
        Function::Log => libm::log,
        Function::Log2 => libm::log2,
        Function::Sqrt => f64::sqrt,
        Function::Rsqrt => |value| 1.0 / value.sqrt(),
        Function::Tanh => libm::tanh,
        Function::Sin => libm::sin,
        Function::Cos => libm::cos,
        Function::Tan => libm::tan,
        Function::Sinh => libm::sinh,
        Function::Cosh => libm::cosh,
        Function::Abs => f64::abs,
        Function::Floor => f64::floor,
        Function::Ceil => f64::ceil,
    }
}
