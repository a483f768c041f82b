//! Matrix multiplication with the semantics of `numpy.matmul`.

use super::super::shape::{broadcast, broadcast_strides, offsets};
use super::array::{Array, Data, size_of};

/// The extents of one product: the rows of the left matrix, the contracted dimension, and the columns of the right one.
#[derive(Clone, Copy)]
struct Extents {
    rows: usize,
    shared: usize,
    columns: usize,
}

/// Multiplies matrices. An operand of rank 1 is a row on the left and a column on the right; leading dimensions are
/// broadcast.
pub(super) fn matmul(left: Array, right: Array, most: usize) -> Result<Array, String> {
    let misfit = |why: &str| format!("cannot multiply {} @ {}: {why}", left.describe(), right.describe());
    if left.rank() == 0 || right.rank() == 0 {
        return Err(misfit("a number is not a matrix; use `*`"));
    }
    let (left_shape, right_shape) = (as_matrix(left.shape(), true), as_matrix(right.shape(), false));
    let (left_batch, &[rows, shared]) = split(&left_shape) else { return Err(misfit("too few dimensions")) };
    let (right_batch, &[inner, columns]) = split(&right_shape) else { return Err(misfit("too few dimensions")) };
    if shared != inner {
        return Err(misfit(&format!("{shared} columns against {inner} rows")));
    }
    let batch = broadcast(left_batch, right_batch)
        .ok_or_else(|| misfit("the leading dimensions cannot be broadcast together"))?;
    let extents = Extents { rows, shared, columns };
    let result_shape: Vec<usize> = batch.iter().copied().chain([rows, columns]).collect();
    size_of(&result_shape, most)?;
    let places = |own: &[usize], size: usize| {
        offsets(0, &batch, &broadcast_strides(own, &batch)).map(move |matrix| matrix * size).collect::<Vec<_>>()
    };
    let starts: Vec<(usize, usize)> =
        places(left_batch, rows * shared).into_iter().zip(places(right_batch, shared * columns)).collect();
    let visible = visible_shape(&left, &right, result_shape);
    let data = match (left.data(), right.data()) {
        (Data::Whole(a), Data::Whole(b)) => {
            Data::Whole(products(a, b, &starts, extents, |sum, a, b| sum.wrapping_add(a.wrapping_mul(b))))
        }
        _ => {
            let (a, b) = (left.into_data().into_real(), right.into_data().into_real());
            Data::Real(products(&a, &b, &starts, extents, |sum, a, b| sum + a * b))
        }
    };
    Ok(Array::with_data(visible, data))
}

fn as_matrix(shape: &[usize], row: bool) -> Vec<usize> {
    match shape {
        [extent] if row => vec![1, *extent],
        [extent] => vec![*extent, 1],
        _ => shape.to_vec(),
    }
}

/// Splits a shape into its leading dimensions and the two of the matrix.
fn split(shape: &[usize]) -> (&[usize], &[usize]) {
    shape.split_at(shape.len().saturating_sub(2))
}

/// The shape of the result without the dimensions that were added to operands of rank 1.
fn visible_shape(left: &Array, right: &Array, mut shape: Vec<usize>) -> Vec<usize> {
    if right.rank() == 1 {
        shape.pop();
    }
    if left.rank() == 1 {
        let row = shape.len() - if right.rank() == 1 { 1 } else { 2 };
        shape.remove(row);
    }
    shape
}

fn products<T: Copy + Default>(
    left: &[T],
    right: &[T],
    starts: &[(usize, usize)],
    extents: Extents,
    multiply_add: impl Fn(T, T, T) -> T + Copy,
) -> Vec<T> {
    let Extents { rows, shared, columns } = extents;
    let mut result = vec![T::default(); starts.len() * rows * columns];
    // `chunks_exact_mut` panics for chunks of size 0.
    if rows * columns == 0 {
        return result;
    }
    for (product, &(a, b)) in result.chunks_exact_mut(rows * columns).zip(starts) {
        multiply(&left[a..a + rows * shared], &right[b..b + shared * columns], product, extents, multiply_add);
    }
    result
}

/// The number of rows of the right matrix that are processed together so that they stay in the cache.
const BLOCK: usize = 64;

fn multiply<T: Copy>(left: &[T], right: &[T], result: &mut [T], extents: Extents, multiply_add: impl Fn(T, T, T) -> T) {
    let Extents { rows, shared, columns } = extents;
    for block in (0..shared).step_by(BLOCK) {
        let end = (block + BLOCK).min(shared);
        for row in 0..rows {
            let sums = &mut result[row * columns..(row + 1) * columns];
            for k in block..end {
                let factor = left[row * shared + k];
                let others = &right[k * columns..(k + 1) * columns];
                for (sum, other) in sums.iter_mut().zip(others) {
                    *sum = multiply_add(*sum, factor, *other);
                }
            }
        }
    }
}
