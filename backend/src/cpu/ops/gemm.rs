//! Matrix products. Each element sums its products in ascending order of `k`, one fused multiply-add at a time, so that
//! results do not depend on the processor.

use crate::cpu::lanes::arch;
use pulp::{Simd, WithSimd};

/// The extents of a product: `batch` times `m x k` by `k x n`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dims {
    pub(super) batch: usize,
    pub(super) m: usize,
    pub(super) n: usize,
    pub(super) k: usize,
}

/// What matrices are made of.
pub(super) trait Factor: Copy + Default {
    /// `self * other + sum`, rounded once.
    fn multiply_add(self, other: Self, sum: Self) -> Self;
}

impl Factor for f32 {
    #[inline(always)]
    fn multiply_add(self, other: f32, sum: f32) -> f32 {
        self.mul_add(other, sum)
    }
}

impl Factor for f64 {
    #[inline(always)]
    fn multiply_add(self, other: f64, sum: f64) -> f64 {
        self.mul_add(other, sum)
    }
}

impl Factor for i32 {
    #[inline(always)]
    fn multiply_add(self, other: i32, sum: i32) -> i32 {
        sum.wrapping_add(self.wrapping_mul(other))
    }
}

/// Adds the products of `a` and `b`, all in row-major order, to `c`.
pub(super) fn add_product<T: Factor>(dims: Dims, a: &[T], b: &[T], c: &mut [T]) {
    let Dims { batch, m, n, k } = dims;
    for index in 0..batch {
        let (a, b) = (&a[index * m * k..][..m * k], &b[index * k * n..][..k * n]);
        let c = &mut c[index * m * n..][..m * n];
        arch().dispatch(Product { m, n, k, a, b, c });
    }
}

/// Columns that are computed together.
const COLUMNS: usize = 16;
/// Rows that are computed together.
const ROWS: usize = 4;

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

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) {
        let mut panel = vec![[T::default(); COLUMNS]; self.k];
        for column in (0..self.n).step_by(COLUMNS) {
            let width = COLUMNS.min(self.n - column);
            for (row, packed) in panel.iter_mut().enumerate() {
                packed[..width].copy_from_slice(&self.b[row * self.n + column..][..width]);
            }
            let together = self.m / ROWS * ROWS;
            for row in (0..together).step_by(ROWS) {
                let mut sums = [[T::default(); COLUMNS]; ROWS];
                sums.iter_mut().enumerate().for_each(|(index, sum)| self.load(row + index, column, width, sum));
                let sums = four_rows(&self.a[row * self.k..], self.k, &panel, sums);
                sums.iter().enumerate().for_each(|(index, sum)| self.store(row + index, column, width, sum));
            }
            for row in together..self.m {
                let mut sum = [T::default(); COLUMNS];
                self.load(row, column, width, &mut sum);
                for (&x, packed) in self.a[row * self.k..][..self.k].iter().zip(&panel) {
                    step(x, packed, &mut sum);
                }
                self.store(row, column, width, &sum);
            }
        }
    }
}

impl<T: Factor> Product<'_, T> {
    #[inline(always)]
    fn load(&self, row: usize, column: usize, width: usize, sum: &mut [T; COLUMNS]) {
        sum[..width].copy_from_slice(&self.c[row * self.n + column..][..width]);
    }

    #[inline(always)]
    fn store(&mut self, row: usize, column: usize, width: usize, sum: &[T; COLUMNS]) {
        self.c[row * self.n + column..][..width].copy_from_slice(&sum[..width]);
    }
}

/// Four rows keep their sums in registers while the panel streams by.
#[inline(always)]
fn four_rows<T: Factor>(a: &[T], k: usize, panel: &[[T; COLUMNS]], sums: [[T; COLUMNS]; ROWS]) -> [[T; COLUMNS]; ROWS] {
    let [mut s0, mut s1, mut s2, mut s3] = sums;
    let (a0, a1, a2, a3) = (&a[..k], &a[k..][..k], &a[2 * k..][..k], &a[3 * k..][..k]);
    for ((((packed, &x0), &x1), &x2), &x3) in panel.iter().zip(a0).zip(a1).zip(a2).zip(a3) {
        step(x0, packed, &mut s0);
        step(x1, packed, &mut s1);
        step(x2, packed, &mut s2);
        step(x3, packed, &mut s3);
    }
    [s0, s1, s2, s3]
}

#[inline(always)]
fn step<T: Factor>(x: T, packed: &[T; COLUMNS], sum: &mut [T; COLUMNS]) {
    for (sum, &y) in sum.iter_mut().zip(packed) {
        *sum = x.multiply_add(y, *sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_sums_all_products() {
        for (m, n, k) in [(1, 1, 1), (4, 16, 8), (8, 2, 4), (2, 32, 1), (16, 64, 32), (1, 128, 2)] {
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
