//! How the lanes of a tile change when it is rearranged.

use crate::symbolic::{Function, Poly, Symbol};

/// The variable for the index along a dimension; 0 if there is only one index.
pub(super) fn lane(dim: usize, extent: i64) -> Poly {
    if extent == 1 { Poly::default() } else { Symbol::Lane(dim as u8, extent).into() }
}

/// The expression after a `reshape` of its tile.
pub(super) fn reshaped(poly: &Poly, from: &[i64], to: &[i64]) -> Option<Poly> {
    if !poly.mentions(&|symbol| matches!(symbol, Symbol::Lane(..))) {
        return Some(poly.clone());
    }
    // A program with errors can reshape to another number of elements.
    if from.iter().product::<i64>() != to.iter().product::<i64>() {
        return None;
    }
    let mut poly = poly.clone();
    // New lanes have numbers beyond those of old ones until all are replaced.
    let shift = from.len();
    for (old, new) in groups(from, to) {
        let flat = flat_index(&to[new.clone()], new.start + shift)?;
        poly = group_replaced(&poly, &from[old.clone()], old.start, &flat)?;
    }
    poly.substitute(&|symbol| match symbol {
        Symbol::Lane(dim, extent) => Some(lane(usize::from(dim) - shift, extent)),
        _ => None,
    })
}

type Group = std::ops::Range<usize>;

/// The smallest runs of dimensions with the same number of elements on both sides.
fn groups(from: &[i64], to: &[i64]) -> Vec<(Group, Group)> {
    let (mut found, mut old, mut new) = (Vec::new(), 0..0, 0..0);
    let count = |shape: &[i64], group: &Group| shape[group.clone()].iter().product::<i64>();
    while old.end < from.len() || new.end < to.len() {
        let (a, b) = (count(from, &old), count(to, &new));
        if (a <= b && old.end < from.len()) || new.end == to.len() {
            old.end += 1;
        } else {
            new.end += 1;
        }
        if count(from, &old) == count(to, &new) {
            found.push((old.clone(), new.clone()));
            (old, new) = (old.end..old.end, new.end..new.end);
        }
    }
    found
}

/// The row-major index in a shape, whose lanes start at number `first`.
fn flat_index(shape: &[i64], first: usize) -> Option<Poly> {
    let mut flat = Poly::default();
    for (dim, &extent) in shape.iter().enumerate() {
        flat = flat.scale(extent)?.add(&lane(first + dim, extent))?;
    }
    Some(flat)
}

/// Replaces the lanes of a group of dimensions, which together have the row-major index `flat`.
fn group_replaced(poly: &Poly, shape: &[i64], first: usize, flat: &Poly) -> Option<Poly> {
    if let Some(replaced) = contiguous(poly, shape, first, flat) {
        return Some(replaced);
    }
    let index = |dim: usize| {
        let stride: i64 = shape[dim + 1..].iter().product();
        let quotient = Function::Quotient.of(vec![flat.clone(), stride.into()])?;
        if dim == 0 { Some(quotient) } else { Function::Remainder.of(vec![quotient, shape[dim].into()]) }
    };
    let replacements = (0..shape.len()).map(index).collect::<Option<Vec<Poly>>>()?;
    poly.substitute(&|symbol| match symbol {
        Symbol::Lane(dim, _) => replacements.get(usize::from(dim).checked_sub(first)?).cloned(),
        _ => None,
    })
}

/// The replacement if the expression counts the elements of the group in row-major order, as in `64 * i + j`.
fn contiguous(poly: &Poly, shape: &[i64], first: usize, flat: &Poly) -> Option<Poly> {
    let (mut rest, mut step) = (poly.clone(), None);
    let mut stride = 1;
    for (dim, &extent) in shape.iter().enumerate().rev().filter(|(_, extent)| **extent != 1) {
        let (factor, others) = rest.split_linear(Symbol::Lane((first + dim) as u8, extent))?;
        let of_one = factor.divide_exactly(stride)?;
        if *step.get_or_insert_with(|| of_one.clone()) != of_one {
            return None;
        }
        (rest, stride) = (others, stride * extent);
    }
    rest.add(&step.unwrap_or_default().mul(flat)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitting_and_joining_dimensions() {
        let flat = lane(0, 4096);
        let square = reshaped(&flat, &[4096], &[64, 64]).unwrap();
        assert_eq!(square, lane(0, 64).scale(64).unwrap().add(&lane(1, 64)).unwrap());
        assert_eq!(reshaped(&square, &[64, 64], &[4096]), Some(flat));
    }

    #[test]
    fn extents_of_one() {
        let row = lane(0, 64);
        assert_eq!(reshaped(&row, &[64], &[1, 64]), Some(lane(1, 64)));
        assert_eq!(reshaped(&lane(1, 64), &[1, 64, 1], &[64]), Some(row));
    }

    #[test]
    fn other_expressions_are_divided() {
        let column = reshaped(&lane(1, 8), &[4, 8], &[32]).unwrap();
        assert_eq!(column, Function::Remainder.of(vec![lane(0, 32), 8.into()]).unwrap());
    }
}
