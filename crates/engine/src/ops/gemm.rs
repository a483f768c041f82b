//! Matrix products. Each element sums its products in ascending order of `k`, one fused multiply-add at a time, so that
//! results do not depend on the processor.

use crate::simd::arch;
use crate::values::pool::{PoolElement, recycle, vector};
use pulp::{Simd, WithSimd};
use std::marker::PhantomData;

/// The extents of a product: `batch` times `m x k` by `k x n`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Dims {
    pub(crate) batch: usize,
    pub(crate) m: usize,
    pub(crate) n: usize,
    pub(crate) k: usize,
}

/// The element type of matrices.
pub(crate) trait Factor: PoolElement {
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
factor!(u32, u32s, as_simd_u32s, as_mut_simd_u32s, splat_u32s, |simd, x, y, sum| simd
    .add_u32s(simd.mul_u32s(x, y), sum));

/// The second factor.
#[derive(Clone, Copy)]
pub(crate) enum Second<'a, T> {
    /// In row-major order.
    Rows(&'a [T]),
    /// Packed by [`pack`].
    Packed(&'a [T]),
}

/// Adds the products of `a` and `b` to `c`. `a` and `c` are in row-major order.
pub(crate) fn add_product<T: Factor>(dims: Dims, a: &[T], b: Second<'_, T>, c: &mut [T]) {
    let Dims { batch, m, n, k } = dims;
    let packed = match b {
        Second::Rows(rows) if !is_near(dims, rows) => Some(pack(dims, rows)),
        _ => None,
    };
    let b = packed.as_deref().map_or(b, Second::Packed);
    for index in 0..batch {
        let part = |all: &[T]| all.len() / batch * index..all.len() / batch * (index + 1);
        let b = match b {
            Second::Rows(rows) => Second::Rows(&rows[part(rows)]),
            Second::Packed(panels) => Second::Packed(&panels[part(panels)]),
        };
        let (a, c) = (&a[index * m * k..][..m * k], &mut c[index * m * n..][..m * n]);
        arch().dispatch(Product { m, n, k, a, b, c });
    }
    packed.into_iter().for_each(recycle);
}

/// A second factor is used in place if a matrix is at most this large, in bytes: a large part of the L1 cache. The rows
/// of a larger one are too far apart for the cache.
const NEAR: usize = 16 << 10;

fn is_near<T: Factor>(Dims { batch, n, .. }: Dims, b: &[T]) -> bool {
    size_of_val(b) / batch <= NEAR && n.is_multiple_of(arch().dispatch(Columns::<T>(n, PhantomData)))
}

/// Rearranges the second factor, which is in row-major order, in the order in which [`add_product`] reads it.
pub(crate) fn pack<T: Factor>(Dims { batch, n, k, .. }: Dims, b: &[T]) -> Vec<T> {
    let columns = arch().dispatch(Columns::<T>(n, PhantomData));
    let panel = k * columns;
    let matrix = n.div_ceil(columns) * panel;
    let mut packed = vector(batch * matrix);
    let matrices = packed.chunks_exact_mut(matrix).zip(b.chunks_exact(k * n));
    for (packed, rows) in matrices {
        for (panel, first) in packed.chunks_exact_mut(panel).zip((0..).step_by(columns)) {
            for (to, row) in panel.chunks_exact_mut(columns).zip(rows.chunks_exact(n)) {
                let row = &row[first..n.min(first + columns)];
                to[..row.len()].copy_from_slice(row);
                to[row.len()..].fill(T::default());
            }
        }
    }
    packed
}

/// The number of columns in a panel, of `n`.
struct Columns<T>(usize, PhantomData<T>);

impl<T: Factor> WithSimd for Columns<T> {
    type Output = usize;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> usize {
        if is_narrow::<S, T>(self.0) { columns::<S, T, 1>() } else { columns::<S, T, 2>() }
    }
}

/// Whether one register holds all columns.
#[inline(always)]
fn is_narrow<S: Simd, T: Factor>(n: usize) -> bool {
    n <= columns::<S, T, 1>()
}

/// The maximum number of elements in this many registers.
const WIDEST: usize = 64;

struct Product<'a, T> {
    m: usize,
    n: usize,
    k: usize,
    a: &'a [T],
    b: Second<'a, T>,
    c: &'a mut [T],
}

impl<T: Factor> WithSimd for Product<'_, T> {
    type Output = ();

    /// Sums stay in registers, at least as many as are needed for each to be used again only when it is ready, arranged
    /// in rows of two registers, or of one if that holds all columns.
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match (S::REGISTER_COUNT >= 32, is_narrow::<S, T>(self.n)) {
            (true, false) => self.all_rows::<S, 8, 2>(simd),
            (true, true) => self.all_rows::<S, 16, 1>(simd),
            (false, false) => self.all_rows::<S, 6, 2>(simd),
            (false, true) => self.all_rows::<S, 8, 1>(simd),
        }
    }
}

/// The columns of the second factor that fill a few registers.
#[derive(Clone, Copy)]
struct Panel<'a, T> {
    /// Its rows, from the first one on.
    rows: &'a [T],
    /// The distance between rows.
    apart: usize,
    /// The first column.
    column: usize,
    /// The number of columns.
    width: usize,
}

impl<T: Factor> Product<'_, T> {
    /// Processes a few rows at a time: extents are powers of two, and `ROWS` need not be one.
    #[inline(always)]
    fn all_rows<S: Simd, const ROWS: usize, const ACROSS: usize>(mut self, simd: S) {
        let mut row = 0;
        while row < self.m {
            row += match self.m - row {
                rest if rest >= ROWS && (rest > 8 || rest == ROWS) => self.rows::<S, ROWS, ACROSS>(simd, row),
                4.. => self.rows::<S, 4, ACROSS>(simd, row),
                _ => self.rows::<S, 1, ACROSS>(simd, row),
            };
        }
    }

    /// Processes some rows and returns their number.
    #[inline(always)]
    fn rows<S: Simd, const ROWS: usize, const ACROSS: usize>(&mut self, simd: S, row: usize) -> usize {
        let columns = columns::<S, T, ACROSS>();
        for column in (0..self.n).step_by(columns) {
            let (rows, apart) = match self.b {
                Second::Rows(rows) => (&rows[column..], self.n),
                Second::Packed(panels) => (&panels[column * self.k..], columns),
            };
            self.block::<S, ROWS, ACROSS>(
                simd,
                row,
                Panel { rows, apart, column, width: columns.min(self.n - column) },
            );
        }
        ROWS
    }

    /// Processes some rows of the columns of a few registers.
    #[inline(always)]
    fn block<S: Simd, const ROWS: usize, const ACROSS: usize>(&mut self, simd: S, row: usize, panel: Panel<'_, T>) {
        let Panel { column, width, .. } = panel;
        let k = self.k;
        let mut a = [&self.a[..0]; ROWS];
        let mut sums = [[T::splat(simd, T::default()); ACROSS]; ROWS];
        for index in 0..ROWS {
            a[index] = &self.a[(row + index) * k..][..k];
            sums[index] = load(simd, &self.c[(row + index) * self.n + column..][..width]);
        }
        let mut place = 0;
        while place < k {
            let row = T::lanes::<S>(&panel.rows[place * panel.apart..][..columns::<S, T, ACROSS>()]);
            for index in 0..ROWS {
                let x = T::splat(simd, a[index][place]);
                for across in 0..ACROSS {
                    sums[index][across] = T::multiply_add(simd, x, row[across], sums[index][across]);
                }
            }
            place += 1;
        }
        for (index, sum) in sums.iter().enumerate() {
            store::<S, T, ACROSS>(sum, &mut self.c[(row + index) * self.n + column..][..width]);
        }
    }
}

/// The number of columns in this many registers.
#[inline(always)]
const fn columns<S: Simd, T: Factor, const ACROSS: usize>() -> usize {
    ACROSS * size_of::<T::Lanes<S>>() / size_of::<T>()
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
            let a: Vec<u32> = (0..2 * m * k).map(|index| (index as u32 % 7).wrapping_sub(3)).collect();
            let b: Vec<u32> = (0..2 * k * n).map(|index| (index as u32 % 5).wrapping_sub(2)).collect();
            let mut c = vec![1; 2 * m * n];
            let mut of_packed = c.clone();
            add_product(dims, &a, Second::Rows(&b), &mut c);
            add_product(dims, &a, Second::Packed(&pack(dims, &b)), &mut of_packed);
            assert_eq!(c, of_packed);
            for (index, &found) in c.iter().enumerate() {
                let (batch, row, column) = (index / (m * n), index / n % m, index % n);
                let product = |p: usize| a[(batch * m + row) * k + p].wrapping_mul(b[(batch * k + p) * n + column]);
                let expected = (0..k).map(product).fold(1, u32::wrapping_add);
                assert_eq!(found, expected, "{m}x{n}x{k} at {index}");
            }
        }
    }
}
