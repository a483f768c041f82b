//! Matrix products. Each element sums its products in ascending order of `k`, one fused multiply-add at a time, so that
//! results do not depend on the processor.

use crate::simd::arch;
use pulp::{Simd, WithSimd};

/// The extents of a product: `batch` times `m x k` by `k x n`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dims {
    pub(crate) batch: usize,
    pub(crate) m: usize,
    pub(crate) n: usize,
    pub(crate) k: usize,
}

/// The element type of matrices.
pub(crate) trait Factor: Copy + Default {
    /// The number of elements in a vector register.
    type Lanes<S: Simd>: Copy;

    /// Consecutive elements as registers; an incomplete register at the end is omitted.
    fn lanes<S: Simd>(elements: &[Self]) -> &[Self::Lanes<S>];

    /// Like [`Factor::lanes`], for writing.
    fn lanes_mut<S: Simd>(elements: &mut [Self]) -> &mut [Self::Lanes<S>];

    /// A register full of one value.
    fn splat<S: Simd>(simd: S, value: Self) -> Self::Lanes<S>;

    /// `x * y + sum`, rounded once.
    fn multiply_add<S: Simd>(simd: S, x: Self::Lanes<S>, y: Self::Lanes<S>, sum: Self::Lanes<S>) -> Self::Lanes<S>;
}

macro_rules! factor {
    ($type:ty, $lanes:ident, $split:ident, $split_mut:ident, $splat:ident, |$simd:ident, $x:ident, $y:ident, $sum:ident| $body:expr) => {
        impl Factor for $type {
            type Lanes<S: Simd> = S::$lanes;

            #[inline(always)]
            fn lanes<S: Simd>(elements: &[Self]) -> &[S::$lanes] {
                S::$split(elements).0
            }

            #[inline(always)]
            fn lanes_mut<S: Simd>(elements: &mut [Self]) -> &mut [S::$lanes] {
                S::$split_mut(elements).0
            }

            #[inline(always)]
            fn splat<S: Simd>(simd: S, value: Self) -> S::$lanes {
                simd.$splat(value)
            }

            #[inline(always)]
            fn multiply_add<S: Simd>($simd: S, $x: S::$lanes, $y: S::$lanes, $sum: S::$lanes) -> S::$lanes {
                $body
            }
        }
    };
}

factor!(f32, f32s, as_simd_f32s, as_mut_simd_f32s, splat_f32s, |simd, x, y, sum| simd.mul_add_f32s(x, y, sum));
factor!(f64, f64s, as_simd_f64s, as_mut_simd_f64s, splat_f64s, |simd, x, y, sum| simd.mul_add_f64s(x, y, sum));
factor!(i32, i32s, as_simd_i32s, as_mut_simd_i32s, splat_i32s, |simd, x, y, sum| simd
    .add_i32s(simd.mul_i32s(x, y), sum));

/// Adds the products of `a` and `b`, all in row-major order, to `c`.
pub(crate) fn add_product<T: Factor>(dims: Dims, a: &[T], b: &[T], c: &mut [T]) {
    let Dims { batch, m, n, k } = dims;
    for index in 0..batch {
        let (a, b) = (&a[index * m * k..][..m * k], &b[index * k * n..][..k * n]);
        let c = &mut c[index * m * n..][..m * n];
        arch().dispatch(Product { m, n, k, a, b, c });
    }
}

/// The maximum number of elements in this many registers.
const WIDEST: usize = 64;

struct Product<'a, T> {
    m: usize,
    n: usize,
    k: usize,
    a: &'a [T],
    b: &'a [T],
    c: &'a mut [T],
}

impl<T: Factor> WithSimd for Product<'_, T> {
    type Output = ();

    /// Sums stay in registers: in half of all registers, so that each is used again only when it is ready, arranged in
    /// rows of two registers, or of one if that holds all columns.
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let is_narrow = self.n * size_of::<T>() <= size_of::<T::Lanes<S>>();
        match (S::REGISTER_COUNT >= 32, is_narrow) {
            (true, false) => self.panels::<S, 8, 2>(simd),
            (true, true) => self.panels::<S, 16, 1>(simd),
            (false, false) => self.panels::<S, 4, 2>(simd),
            (false, true) => self.panels::<S, 8, 1>(simd),
        }
    }
}

/// The second factor is used in place if it is at most this large, in bytes: a large part of the L1 cache. The rows of
/// a larger one are too far apart for the cache.
const NEAR: usize = 16 << 10;

/// The columns of the second factor that are processed together.
#[derive(Clone, Copy)]
struct Panel<'a, T> {
    /// The rest of the matrix, from the first row on.
    rows: &'a [T],
    /// The distance between rows.
    apart: usize,
}

impl<T: Factor> Product<'_, T> {
    /// Processes the columns of a few registers at a time, packed if they are far apart, and some of their rows at a
    /// time.
    #[inline(always)]
    fn panels<S: Simd, const ROWS: usize, const ACROSS: usize>(mut self, simd: S) {
        let columns = ACROSS * size_of::<T::Lanes<S>>() / size_of::<T>();
        let is_near = size_of_val(self.b) <= NEAR && self.n.is_multiple_of(columns);
        let mut packed = if is_near { Vec::new() } else { vec![T::default(); self.k * columns] };
        for column in (0..self.n).step_by(columns) {
            let width = columns.min(self.n - column);
            for (row, packed) in packed.chunks_exact_mut(columns).enumerate() {
                copy::<S, T, ACROSS>(&self.b[row * self.n + column..][..width], packed);
            }
            let panel = if is_near {
                Panel { rows: &self.b[column..], apart: self.n }
            } else {
                Panel { rows: &packed, apart: columns }
            };
            let together = self.m / ROWS * ROWS;
            for row in (0..together).step_by(ROWS) {
                self.rows::<S, ROWS, ACROSS>(simd, row, column, width, panel);
            }
            for row in together..self.m {
                self.rows::<S, 1, ACROSS>(simd, row, column, width, panel);
            }
        }
    }

    /// Some rows of a panel.
    #[inline(always)]
    fn rows<S: Simd, const ROWS: usize, const ACROSS: usize>(
        &mut self,
        simd: S,
        row: usize,
        column: usize,
        width: usize,
        panel: Panel<'_, T>,
    ) {
        let k = self.k;
        let columns = ACROSS * size_of::<T::Lanes<S>>() / size_of::<T>();
        let mut a = [&self.a[..0]; ROWS];
        let mut sums = [[T::splat(simd, T::default()); ACROSS]; ROWS];
        for index in 0..ROWS {
            a[index] = &self.a[(row + index) * k..][..k];
            sums[index] = load(simd, &self.c[(row + index) * self.n + column..][..width]);
        }
        for (place, row) in panel.rows.chunks(panel.apart).take(k).enumerate() {
            let row = T::lanes::<S>(&row[..columns]);
            for index in 0..ROWS {
                let x = T::splat(simd, a[index][place]);
                for across in 0..ACROSS {
                    sums[index][across] = T::multiply_add(simd, x, row[across], sums[index][across]);
                }
            }
        }
        for (index, sum) in sums.iter().enumerate() {
            store::<S, T, ACROSS>(sum, &mut self.c[(row + index) * self.n + column..][..width]);
        }
    }
}

/// Consecutive elements, possibly fewer than the registers hold.
#[inline(always)]
fn load<S: Simd, T: Factor, const ACROSS: usize>(simd: S, from: &[T]) -> [T::Lanes<S>; ACROSS] {
    if let Ok(lanes) = T::lanes::<S>(from).try_into() {
        return lanes;
    }
    let mut whole = [T::default(); WIDEST];
    whole[..from.len()].copy_from_slice(from);
    let lanes = T::lanes::<S>(&whole);
    let mut loaded = [T::splat(simd, T::default()); ACROSS];
    loaded.copy_from_slice(&lanes[..ACROSS]);
    loaded
}

/// Writes as many elements as fit.
#[inline(always)]
fn store<S: Simd, T: Factor, const ACROSS: usize>(sum: &[T::Lanes<S>; ACROSS], to: &mut [T]) {
    if let Ok(lanes) = <&mut [T::Lanes<S>; ACROSS]>::try_from(T::lanes_mut::<S>(to)) {
        *lanes = *sum;
        return;
    }
    let mut whole = [T::default(); WIDEST];
    T::lanes_mut::<S>(&mut whole)[..ACROSS].copy_from_slice(sum);
    to.copy_from_slice(&whole[..to.len()]);
}

/// Copies consecutive elements to a buffer of the registers' size.
#[inline(always)]
fn copy<S: Simd, T: Factor, const ACROSS: usize>(from: &[T], to: &mut [T]) {
    let whole = <&[T::Lanes<S>; ACROSS]>::try_from(T::lanes::<S>(from));
    match (whole, <&mut [T::Lanes<S>; ACROSS]>::try_from(T::lanes_mut::<S>(to))) {
        (Ok(from), Ok(to)) => *to = *from,
        _ => to[..from.len()].copy_from_slice(from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_sums_all_products() {
        for (m, n, k) in [
            (1, 1, 1),
            (4, 16, 8),
            (8, 2, 4),
            (2, 32, 1),
            (16, 64, 32),
            (1, 128, 2),
            (16, 16, 16),
            (33, 8, 3),
            (9, 128, 64),
        ] {
            let dims = Dims { batch: 2, m, n, k };
            let a: Vec<i32> = (0..2 * m * k).map(|index| index as i32 % 7 - 3).collect();
            let b: Vec<i32> = (0..2 * k * n).map(|index| index as i32 % 5 - 2).collect();
            let mut c = vec![1; 2 * m * n];
            add_product(dims, &a, &b, &mut c);
            for (index, &found) in c.iter().enumerate() {
                let (batch, row, column) = (index / (m * n), index / n % m, index % n);
                let product = |p| a[(batch * m + row) * k + p] * b[(batch * k + p) * n + column];
                assert_eq!(found, 1 + (0..k).map(product).sum::<i32>(), "{m}x{n}x{k} at {index}");
            }
        }
    }
}
