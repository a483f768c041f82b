//! Operations along axes: reductions, running sums and softmax.

use super::super::shape::strides;
use super::array::{Array, Data, size_of};
use super::elementwise::{binary, larger};
use super::{Binary, Function, Reduction, elementwise::apply};

/// The dimension that an axis refers to; negative axes count from the end.
pub(super) fn dimension(axis: i64, rank: usize) -> Result<usize, String> {
    let from_end = if axis < 0 { axis.checked_add(rank as i64) } else { Some(axis) };
    from_end
        .and_then(|axis| usize::try_from(axis).ok())
        .filter(|axis| *axis < rank)
        .ok_or_else(|| format!("axis {axis} does not exist in {rank} dimensions"))
}

/// Marks the dimensions that `axes` refer to, or all if it is `None`. An axis cannot be repeated.
fn dimensions(axes: Option<&[i64]>, rank: usize) -> Result<Vec<bool>, String> {
    let Some(axes) = axes else { return Ok(vec![true; rank]) };
    let mut chosen = vec![false; rank];
    for &axis in axes {
        let dim = dimension(axis, rank)?;
        if chosen[dim] {
            return Err(format!("axis {axis} is named twice"));
        }
        chosen[dim] = true;
    }
    Ok(chosen)
}

/// Reduces along `axes`, or along all if it is `None`. If `keep`, the reduced axes remain with extent 1.
pub(super) fn reduce(
    kind: Reduction,
    of: Array,
    axes: Option<&[i64]>,
    keep: bool,
    most: usize,
) -> Result<Array, String> {
    let chosen = dimensions(axes, of.rank())?;
    let select = |is_chosen: bool| (0..of.rank()).filter(|dim| chosen[*dim] == is_chosen).collect::<Vec<_>>();
    let (kept, reduced) = (select(false), select(true));
    let group: usize = reduced.iter().map(|dim| of.shape()[*dim]).product();
    let groups: usize = kept.iter().map(|dim| of.shape()[*dim]).product();
    if group == 0 && groups > 0 && kind != Reduction::Sum {
        return Err(format!("`{}` needs at least one element, but the shape is {}", name(kind), of.describe()));
    }
    let shape = of.shape().iter().zip(&chosen).filter_map(|(extent, chosen)| match chosen {
        true => keep.then_some(1),
        false => Some(*extent),
    });
    let shape: Vec<usize> = shape.collect();
    size_of(&shape, most)?;
    let order: Vec<usize> = kept.into_iter().chain(reduced).collect();
    let data = match permuted(of, &order).into_data() {
        Data::Whole(values) if kind != Reduction::Mean => {
            Data::Whole(each_group(&values, group, groups, |group| whole(kind, group)))
        }
        data => Data::Real(each_group(&data.into_real(), group, groups, |group| real(kind, group))),
    };
    Ok(Array::with_data(shape, data))
}

fn each_group<T: Copy>(values: &[T], group: usize, groups: usize, f: impl Fn(&[T]) -> T) -> Vec<T> {
    (0..groups).map(|index| f(&values[index * group..(index + 1) * group])).collect()
}

fn name(kind: Reduction) -> &'static str {
    match kind {
        Reduction::Sum => "sum",
        Reduction::Max => "max",
        Reduction::Min => "min",
        Reduction::Mean => "mean",
    }
}

fn whole(kind: Reduction, group: &[i64]) -> i64 {
    match kind {
        Reduction::Max => group.iter().copied().max().unwrap_or_default(),
        Reduction::Min => group.iter().copied().min().unwrap_or_default(),
        Reduction::Sum | Reduction::Mean => group.iter().fold(0, |sum, value| sum.wrapping_add(*value)),
    }
}

fn real(kind: Reduction, group: &[f64]) -> f64 {
    match kind {
        Reduction::Sum => sum(group),
        Reduction::Mean => sum(group) / group.len() as f64,
        Reduction::Max => group.iter().copied().reduce(larger).unwrap_or(f64::NAN),
        Reduction::Min => -group.iter().map(|value| -value).reduce(larger).unwrap_or(f64::NAN),
    }
}

/// Pairwise summation, whose error grows only with the logarithm of the count.
fn sum(group: &[f64]) -> f64 {
    const SHORT: usize = 128;
    if group.len() <= SHORT {
        return group.iter().sum();
    }
    let (left, right) = group.split_at(group.len() / 2);
    sum(left) + sum(right)
}

/// Permutes the dimensions of an array.
pub(super) fn permuted(of: Array, order: &[usize]) -> Array {
    if order.iter().enumerate().all(|(place, dim)| place == *dim) {
        return of;
    }
    let own = strides(of.shape());
    let shape = order.iter().map(|dim| of.shape()[*dim]).collect();
    let strides: Vec<isize> = order.iter().map(|dim| own[*dim]).collect();
    of.view(0, shape, &strides)
}

/// Running sums along an axis.
pub(super) fn cumsum(of: Array, axis: i64) -> Result<Array, String> {
    along(of, axis, |data, extent| match data {
        Data::Real(values) => Data::Real(running(values, extent, |sum, value| sum + value)),
        Data::Whole(values) => Data::Whole(running(values, extent, i64::wrapping_add)),
    })
}

/// Applies a function to the rows of an array along an axis. The function gets all rows, one after another, and their
/// length, and returns as many numbers.
pub(super) fn along(of: Array, axis: i64, rows: impl FnOnce(Data, usize) -> Data) -> Result<Array, String> {
    let dim = dimension(axis, of.rank())?;
    let extent = of.shape()[dim];
    // Swapping the axis with the last one is its own inverse.
    let mut order: Vec<usize> = (0..of.rank()).collect();
    order.swap(dim, of.rank() - 1);
    let swapped = permuted(of, &order);
    let shape = swapped.shape().to_vec();
    Ok(permuted(Array::with_data(shape, rows(swapped.into_data(), extent)), &order))
}

fn running<T: Copy>(mut values: Vec<T>, extent: usize, add: impl Fn(T, T) -> T) -> Vec<T> {
    for row in values.chunks_exact_mut(extent.max(1)) {
        for index in 1..row.len() {
            row[index] = add(row[index - 1], row[index]);
        }
    }
    values
}

/// exp(x) / sum(exp(x)) along an axis. The maximum is subtracted from x first so that nothing overflows.
pub(super) fn softmax(of: Array, axis: i64, most: usize) -> Result<Array, String> {
    let axes = [axis];
    if of.len() == 0 {
        return dimension(axis, of.rank()).map(|_| of);
    }
    let largest = reduce(Reduction::Max, of.clone(), Some(&axes), true, most)?;
    let exponentials = apply(Function::Exp, binary(Binary::Subtract, of, largest, most)?);
    let sums = reduce(Reduction::Sum, exponentials.clone(), Some(&axes), true, most)?;
    binary(Binary::Divide, exponentials, sums, most)
}
