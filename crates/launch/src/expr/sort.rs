//! Sorting along an axis. NaN follows all numbers, as in NumPy.

use super::array::{Array, Data};
use super::reduce::along;
use std::cmp::Ordering;

/// Sorts each row along an axis in ascending order.
pub(super) fn sort(of: Array, axis: i64) -> Result<Array, String> {
    along(of, axis, |data, extent| match data {
        Data::Real(values) => Data::Real(sorted(values, extent, ascending)),
        Data::Whole(values) => Data::Whole(sorted(values, extent, i64::cmp)),
    })
}

/// The positions, in each row along an axis, of its elements in ascending order. Equal elements keep their order.
pub(super) fn argsort(of: Array, axis: i64) -> Result<Array, String> {
    along(of, axis, |data, extent| {
        Data::Whole(match data {
            Data::Real(values) => positions(&values, extent, ascending),
            Data::Whole(values) => positions(&values, extent, i64::cmp),
        })
    })
}

fn ascending(a: &f64, b: &f64) -> Ordering {
    a.partial_cmp(b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

fn sorted<T>(mut values: Vec<T>, extent: usize, order: fn(&T, &T) -> Ordering) -> Vec<T> {
    values.chunks_mut(extent.max(1)).for_each(|row| row.sort_by(order));
    values
}

fn positions<T>(values: &[T], extent: usize, order: fn(&T, &T) -> Ordering) -> Vec<i64> {
    let of_row = |row: &[T]| {
        let mut places: Vec<usize> = (0..row.len()).collect();
        places.sort_by(|&a, &b| order(&row[a], &row[b]));
        places.into_iter().map(|place| place as i64)
    };
    values.chunks(extent.max(1)).flat_map(of_row).collect()
}
