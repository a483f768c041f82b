//! The Cholesky decomposition.

use super::array::{Array, Data};

/// The lower triangular factor L of each matrix A = L L^T in the last two dimensions. Only the lower triangle of A is
/// read.
pub(super) fn cholesky(of: Array) -> Result<Array, String> {
    let shape = of.shape().to_vec();
    let [.., rows, columns] = shape[..] else {
        return Err(format!("`cholesky` needs a matrix, but the shape is {}", of.describe()));
    };
    if rows != columns {
        return Err(format!("`cholesky` needs a square matrix, but the shape is {}", of.describe()));
    }
    let mut values = of.into_data().into_real();
    values.chunks_mut((rows * rows).max(1)).try_for_each(|matrix| factor(matrix, rows))?;
    Ok(Array::with_data(shape, Data::Real(values)))
}

/// Replaces a matrix by its factor, row by row.
fn factor(matrix: &mut [f64], extent: usize) -> Result<(), String> {
    for row in 0..extent {
        let (above, own) = matrix.split_at_mut(row * extent);
        let own = &mut own[..extent];
        for column in 0..row {
            let other = &above[column * extent..][..=column];
            own[column] = (own[column] - dot(&own[..column], other)) / other[column];
        }
        let square = own[row] - dot(&own[..row], &own[..row]);
        if square.is_nan() || square <= 0.0 {
            let order = row + 1;
            return Err(format!(
                "the matrix is not positive definite: its leading {order} x {order} minor is not positive"
            ));
        }
        own[row] = square.sqrt();
        own[row + 1..].fill(0.0);
    }
    Ok(())
}

/// The sum of products of as many elements as the shorter slice has.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
