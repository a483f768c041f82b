//! The runs of adjacent elements in memory that an access touches.

use crate::access::Access;
use crate::symbolic::{Poly, Symbol};

/// How the elements of a tile lie in memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Contiguity {
    /// The number of adjacent elements in each run.
    pub run: i64,
    /// The distance in memory between neighbors along each dimension of the tile, in elements.
    pub strides: Vec<Poly>,
}

impl Access {
    /// The distance of an element from the start of the tensor, in elements; `None` if it is not an expression.
    pub(crate) fn offset(&self) -> Option<Poly> {
        let one = [Poly::from(1)];
        let strides = if self.shape.is_empty() && self.strides.is_empty() { &one[..] } else { &self.strides };
        let mut pairs = self.coordinates.as_ref()?.iter().zip(strides);
        pairs.try_fold(Poly::default(), |sum, (coordinate, stride)| sum.add(&coordinate.mul(stride)?))
    }

    /// How the elements of the tile lie in memory; `None` if that is not an expression.
    pub fn contiguity(&self) -> Option<Contiguity> {
        let offset = self.offset()?;
        let distance = |(dim, extent): (usize, &i64)| Some(offset.split_linear(Symbol::Lane(dim as u8, *extent))?.0);
        let strides = self.tile.iter().enumerate().map(distance).collect::<Option<Vec<Poly>>>()?;
        let mut steps: Vec<(i64, i64)> = strides
            .iter()
            .zip(&self.tile)
            .filter(|(_, extent)| **extent > 1)
            .filter_map(|(stride, extent)| Some((stride.as_number()?, *extent)))
            .collect();
        steps.sort_unstable();
        let run = steps.iter().fold(1, |run, (step, extent)| if *step == run { run * extent } else { run });
        Some(Contiguity { run, strides })
    }
}
