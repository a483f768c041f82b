//! Result types determined by an operand and an attribute.

use crate::ir::Attr;
use crate::lower::infer::Signature;
use crate::types::{Scalar, Type};
use tile_dialect::{AttrName, Mnemonic, OpRow};

impl Signature {
    /// The signature completed with the result type that its attributes determine, if the text states none.
    pub(in crate::lower) fn with_shape(&self, row: &'static OpRow, attrs: &[Attr]) -> Signature {
        let mut signature = self.clone();
        let attr = |name| row.attr(name).and_then(|(index, _)| attrs.get(index));
        let result = match row.op {
            Mnemonic::Permute => self.permuted(attr(AttrName::Permutation)),
            Mnemonic::Cat => self.concatenated(attr(AttrName::Dim)),
            _ => return signature,
        };
        if let [only] = &mut signature.results[..] {
            *only = only.or(result);
        }
        signature
    }

    fn permuted(&self, permutation: Option<&Attr>) -> Option<Type> {
        let (shape, element) = self.tile(0)?;
        let Some(Attr::IntList(permutation)) = permutation else { return None };
        let mut sorted = permutation.to_vec();
        sorted.sort_unstable();
        if sorted != (0..shape.len() as i64).collect::<Vec<_>>() {
            return None;
        }
        let shape: Vec<i64> = permutation.iter().map(|&dim| shape[dim as usize]).collect();
        Some(Type::tile(&shape, element))
    }

    fn concatenated(&self, dim: Option<&Attr>) -> Option<Type> {
        let ((left, element), (right, _)) = (self.tile(0)?, self.tile(1)?);
        let dim = usize::try_from(dim?.as_int()?).ok().filter(|&dim| dim < left.len().min(right.len()))?;
        let mut shape = left.to_vec();
        shape[dim] = shape[dim].checked_add(right[dim])?;
        Some(Type::tile(&shape, element))
    }

    /// The shape and the element type of an operand that is a tile of numbers.
    fn tile(&self, operand: usize) -> Option<(&'static [i64], tile_dialect::Element)> {
        let tile = self.operands.get(operand)?.actual.as_tile()?;
        match tile.element {
            Scalar::Number(element) => Some((&tile.shape, element)),
            Scalar::Pointer(_) => None,
        }
    }
}
