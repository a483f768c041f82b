//! The runs of adjacent elements in memory that an access touches.

use crate::access::{Access, Selection};
use crate::symbolic::{Poly, Symbol};
use tile_analysis::ir::Body;

/// How the elements of a tile lie in memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Contiguity {
    /// The number of adjacent elements in each run, at least.
    pub run: i64,
    /// The distance in memory between neighbors along each dimension of the tile, in elements. `None` along dimensions
    /// in which it depends on loaded values.
    pub strides: Vec<Option<Poly>>,
}

impl Contiguity {
    /// Whether all distances are known, so that runs are not longer than stated.
    pub fn is_exact(&self) -> bool {
        self.strides.iter().all(Option::is_some)
    }
}

impl Access {
    /// The distance of an element from the start of the tensor, in elements; `None` if it is not an expression.
    pub(crate) fn offset(&self) -> Option<Poly> {
        let one = [Poly::from(1)];
        let strides = if self.shape.is_empty() && self.strides.is_empty() { &one[..] } else { &self.strides };
        let mut pairs = self.coordinates.as_ref()?.iter().zip(strides);
        pairs.try_fold(Poly::default(), |sum, (coordinate, stride)| sum.add(&coordinate.mul(stride)?))
    }

    /// How the elements of the tile lie in memory; `None` if that is not an expression, or depends on loaded values
    /// alone.
    pub fn contiguity(&self, body: &Body) -> Option<Contiguity> {
        let offset = self.offset()?;
        let symbols = offset.symbols();
        let distance = |(dim, extent): (usize, &i64)| {
            let (stride, _) = offset.split_linear(Symbol::Lane(dim as u8, *extent))?;
            let is_loaded = *extent > 1 && symbols.iter().any(|&symbol| self.varies_along(symbol, dim, body));
            Some((!is_loaded).then_some(stride))
        };
        let strides = self.tile.iter().enumerate().map(distance).collect::<Option<Vec<Option<Poly>>>>()?;
        let mut steps: Vec<(i64, i64)> = strides
            .iter()
            .zip(&self.tile)
            .filter(|(_, extent)| **extent > 1)
            .filter_map(|(stride, extent)| Some((stride.as_ref()?.as_number()?.checked_abs()?, *extent)))
            .collect();
        steps.sort_unstable();
        let run = steps.iter().fold(1, |run, (step, extent)| if *step == run { run * extent } else { run });
        let found = Contiguity { run, strides };
        (run > 1 || found.is_exact()).then_some(found)
    }

    /// Whether an unknown tile in the expression of an element can have other elements along a dimension of the access.
    fn varies_along(&self, symbol: Symbol, dim: usize, body: &Body) -> bool {
        let (Symbol::Unknown(value) | Symbol::Carried(value)) = symbol else { return false };
        let dim = match self.selection {
            // The indices are a tile of rank 1.
            Selection::Sparse(sparse) if sparse == dim => 0,
            Selection::Sparse(_) => return false,
            Selection::Slice | Selection::Pointers => dim,
        };
        body.ty(value).as_tile().and_then(|tile| tile.shape.get(dim)).is_some_and(|extent| *extent > 1)
    }
}
