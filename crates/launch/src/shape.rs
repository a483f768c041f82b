//! Shapes: formatting, broadcasting, and the positions of elements.

use std::fmt;

/// The maximum rank of a buffer.
pub(super) const MAX_RANK: usize = 32;

/// Formats items as `[1, 2, 3]`.
pub(super) fn bracketed<T: fmt::Display>(items: &[T]) -> String {
    format!("[{}]", items.iter().map(T::to_string).collect::<Vec<_>>().join(", "))
}

/// Writes values in row-major order as a list nested like `shape`.
pub(super) fn write_nested<T: fmt::Display>(f: &mut fmt::Formatter<'_>, shape: &[u64], values: &[T]) -> fmt::Result {
    let Some((&extent, inner)) = shape.split_first() else {
        return values.first().map_or(Ok(()), |value| write!(f, "{value}"));
    };
    let each = values.len().checked_div(usize::try_from(extent).unwrap_or(usize::MAX)).unwrap_or(0);
    f.write_str("[")?;
    for index in 0..extent as usize {
        f.write_str(if index == 0 { "" } else { ", " })?;
        let part = index.checked_mul(each).and_then(|start| values.get(start..start.checked_add(each)?));
        write_nested(f, inner, part.unwrap_or_default())?;
    }
    f.write_str("]")
}

/// The offsets of the elements in row-major order of `shape`, if the first is at `start` and neighbors along each
/// dimension are `strides` apart. All offsets must lie within memory.
pub(super) fn offsets(start: usize, shape: &[usize], strides: &[isize]) -> Offsets {
    let next = (!shape.contains(&0)).then_some(start as isize);
    Offsets { shape: shape.to_vec(), strides: strides.to_vec(), index: vec![0; shape.len()], next }
}

/// The iterator of [`offsets`].
pub(super) struct Offsets {
    shape: Vec<usize>,
    strides: Vec<isize>,
    index: Vec<usize>,
    next: Option<isize>,
}

impl Offsets {
    fn advance(&mut self, mut offset: isize) -> Option<isize> {
        for dim in (0..self.shape.len()).rev() {
            if self.index[dim] + 1 < self.shape[dim] {
                self.index[dim] += 1;
                return Some(offset + self.strides[dim]);
            }
            offset -= self.index[dim] as isize * self.strides[dim];
            self.index[dim] = 0;
        }
        None
    }
}

impl Iterator for Offsets {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let current = self.next?;
        self.next = self.advance(current);
        Some(current as usize)
    }
}

/// Row-major strides.
pub(super) fn strides(shape: &[usize]) -> Vec<isize> {
    let mut strides = vec![1isize; shape.len()];
    for dim in (1..shape.len()).rev() {
        strides[dim - 1] = strides[dim].wrapping_mul(shape[dim] as isize);
    }
    strides
}

/// The index of the element at `position` in row-major order.
pub(super) fn unravel(position: usize, shape: &[usize]) -> Vec<usize> {
    let mut rest = position;
    let mut index: Vec<usize> = shape
        .iter()
        .rev()
        .map(|extent| {
            let extent = (*extent).max(1);
            let here = rest % extent;
            rest /= extent;
            here
        })
        .collect();
    index.reverse();
    index
}

/// The shape that both shapes are broadcast to by NumPy's rules, if any.
pub(super) fn broadcast(left: &[usize], right: &[usize]) -> Option<Vec<usize>> {
    let rank = left.len().max(right.len());
    let extent = |shape: &[usize], dim: usize| (dim + shape.len()).checked_sub(rank).map_or(1, |dim| shape[dim]);
    (0..rank)
        .map(|dim| match (extent(left, dim), extent(right, dim)) {
            (a, b) if a == b => Some(a),
            (1, b) => Some(b),
            (a, 1) => Some(a),
            _ => None,
        })
        .collect()
}

/// The strides that read an array of shape `from` as if it were broadcast to `to`.
pub(super) fn broadcast_strides(from: &[usize], to: &[usize]) -> Vec<isize> {
    let mut result = vec![0; to.len() - from.len()];
    let own = strides(from).into_iter().zip(from);
    result.extend(own.map(|(stride, extent)| if *extent == 1 { 0 } else { stride }));
    result
}

/// The number of elements, if it is at most `most`.
///
/// The product of the nonzero extents must be at most `most` even if an extent is 0, so that offsets cannot overflow.
pub(super) fn count(shape: &[usize], most: usize) -> Option<usize> {
    let most = most.min(isize::MAX as usize);
    let product = shape.iter().try_fold(1usize, |count, extent| count.checked_mul((*extent).max(1)))?;
    (product <= most).then_some(if shape.contains(&0) { 0 } else { product })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_follow_strides_in_both_directions() {
        assert_eq!(offsets(0, &[2, 3], &[3, 1]).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
        assert_eq!(offsets(0, &[3, 2], &[1, 3]).collect::<Vec<_>>(), [0, 3, 1, 4, 2, 5]);
        assert_eq!(offsets(2, &[3], &[-1]).collect::<Vec<_>>(), [2, 1, 0]);
        assert_eq!(offsets(5, &[], &[]).collect::<Vec<_>>(), [5]);
        assert_eq!(offsets(0, &[2, 0], &[0, 1]).count(), 0);
    }

    #[test]
    fn shapes_are_broadcast_as_in_numpy() {
        assert_eq!(broadcast(&[4, 1], &[3]), Some(vec![4, 3]));
        assert_eq!(broadcast(&[], &[2, 2]), Some(vec![2, 2]));
        assert_eq!(broadcast(&[0], &[1]), Some(vec![0]));
        assert_eq!(broadcast(&[2], &[3]), None);
        assert_eq!(broadcast_strides(&[3, 1], &[2, 3, 4]), [0, 1, 0]);
    }

    #[test]
    fn positions_and_indices() {
        assert_eq!(unravel(7, &[2, 5]), [1, 2]);
        assert_eq!(unravel(0, &[]), []);
        assert_eq!(count(&[usize::MAX, 2], usize::MAX), None);
        assert_eq!(count(&[usize::MAX, 2, 0], 5), None);
        assert_eq!(count(&[5, 0], 5), Some(0));
    }
}
