//! Operations that only rearrange elements: slices, transposition and reshaping.

use super::SliceEntry;
use super::array::Array;
use super::reduce::{dimension, permuted};
use crate::shape::{bracketed, count, strides};

/// Reorders the dimensions as `axes` says, or reverses them if it is `None`.
pub(super) fn transpose(of: Array, axes: Option<&[i64]>) -> Result<Array, String> {
    let rank = of.rank();
    let order = match axes {
        None => (0..rank).rev().collect(),
        Some(axes) => axes.iter().map(|axis| dimension(*axis, rank)).collect::<Result<Vec<_>, _>>()?,
    };
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if sorted != (0..rank).collect::<Vec<_>>() {
        let axes = bracketed(axes.unwrap_or_default());
        return Err(format!("the axes {axes} do not name each of the {rank} dimensions of {} once", of.describe()));
    }
    Ok(permuted(of, &order))
}

/// The same numbers in another shape. One extent may be -1 and is inferred from the others.
pub(super) fn reshape(of: Array, shape: &[i64]) -> Result<Array, String> {
    let misfit = || format!("cannot reshape {} with {} elements to {}", of.describe(), of.len(), bracketed(shape));
    let unknown = shape.iter().filter(|extent| **extent == -1).count();
    let known = shape.iter().filter(|extent| **extent != -1);
    let known = known.map(|extent| usize::try_from(*extent).ok());
    let product =
        known.into_iter().try_fold(1usize, |product, extent| product.checked_mul(extent?)).ok_or_else(misfit)?;
    let found = match unknown {
        0 => 0,
        1 => of.len().checked_div(product).ok_or_else(misfit)?,
        _ => return Err("only one extent may be -1".to_string()),
    };
    let shape: Vec<usize> = shape.iter().map(|extent| usize::try_from(*extent).unwrap_or(found)).collect();
    if count(&shape, usize::MAX) != Some(of.len()) {
        return Err(misfit());
    }
    Ok(of.with_shape(shape))
}

/// Applies one entry of a slice to each dimension.
pub(super) fn slice(of: Array, parts: &[SliceEntry]) -> Result<Array, String> {
    let own = strides(of.shape());
    let mut view = View::default();
    let named = parts.iter().filter(|part| matches!(part, SliceEntry::At(_) | SliceEntry::Span { .. })).count();
    let Some(unnamed) = of.rank().checked_sub(named) else {
        return Err(format!("{named} indices are too many for the shape {}", of.describe()));
    };
    let everything = SliceEntry::Span { start: None, stop: None, step: 1 };
    let ellipsis = parts.iter().position(|part| *part == SliceEntry::Ellipsis).unwrap_or(parts.len());
    let rest = std::iter::repeat_n(&everything, unnamed);
    let all = parts[..ellipsis].iter().chain(rest).chain(parts.iter().skip(ellipsis + 1));
    let mut dim = 0;
    for part in all {
        if *part == SliceEntry::NewAxis {
            view.push(1, 0);
            continue;
        }
        view.take(part, of.shape()[dim], own[dim]).map_err(|why| format!("{why} of {}", of.describe()))?;
        dim += 1;
    }
    let start = if view.shape.contains(&0) { 0 } else { view.start };
    Ok(of.view(start as usize, view.shape, &view.strides))
}

/// The part of an array that a slice selects.
#[derive(Default)]
struct View {
    start: isize,
    shape: Vec<usize>,
    strides: Vec<isize>,
}

impl View {
    fn push(&mut self, extent: usize, stride: isize) {
        self.shape.push(extent);
        self.strides.push(stride);
    }

    /// Applies a slice entry to the next dimension.
    fn take(&mut self, part: &SliceEntry, extent: usize, stride: isize) -> Result<(), String> {
        match *part {
            SliceEntry::At(index) => {
                let from_end = if index < 0 { index.saturating_add(extent as i64) } else { index };
                let inside = (0..extent as i64).contains(&from_end);
                let place = inside.then_some(from_end as isize);
                let place = place.ok_or_else(|| format!("index {index} is outside the extent {extent}"))?;
                self.start += place * stride;
            }
            SliceEntry::Span { start, stop, step } => {
                let (first, count) = span(start, stop, step, extent as i64);
                if count > 0 {
                    self.start += first as isize * stride;
                }
                self.push(count as usize, stride.wrapping_mul(step as isize));
            }
            SliceEntry::NewAxis | SliceEntry::Ellipsis => {}
        }
        Ok(())
    }
}

/// The first index of a slice and the number of indices, by Python's rules.
fn span(start: Option<i64>, stop: Option<i64>, step: i64, extent: i64) -> (i64, i64) {
    let (lowest, highest) = if step > 0 { (0, extent) } else { (-1, extent - 1) };
    let clamp = |index: i64| {
        let index = if index < 0 { index.saturating_add(extent) } else { index };
        index.clamp(lowest, highest)
    };
    let (from, to) = if step > 0 { (lowest, highest) } else { (highest, lowest) };
    let (first, end) = (start.map_or(from, clamp), stop.map_or(to, clamp));
    let distance = if step > 0 { end - first } else { first - end };
    (first, distance.max(0).unsigned_abs().div_ceil(step.unsigned_abs().max(1)) as i64)
}
