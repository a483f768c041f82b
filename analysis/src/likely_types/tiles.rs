//! The tile types of results.

use super::shapes::usual;
use super::statement::Statement;
use crate::ir::Attr;
use crate::types::{Pointer, Scalar, TileType, Type};
use tile_dialect::{AttrName, Class, Element, Mnemonic as M};

impl Statement {
    /// The likely types of a result that is a tile.
    pub(super) fn tiles(&self) -> Vec<Type> {
        let from = self.operand(0).and_then(Type::as_tile);
        let of = |shapes: Vec<Vec<i64>>, element: Scalar| -> Vec<Type> {
            shapes.iter().map(|shape| Type::tile_of(shape, element)).collect()
        };
        match (self.named.row.op, from) {
            (M::Constant, _) => self.constants(),
            (M::Iota, _) => of(self.iota_shapes(), Scalar::Number(Element::I32)),
            (M::Broadcast, Some(from)) => of(self.broadcast_shapes(from), from.element),
            (M::Reshape, Some(from)) => of(self.reshape_shapes(from), from.element),
            (M::Extract, Some(from)) => of(self.extract_shapes(from), from.element),
            (M::Permute, Some(from)) => of(self.permuted(from).into_iter().collect(), from.element),
            (M::Cat, Some(from)) => of(self.concatenated(from).into_iter().collect(), from.element),
            (M::Reduce, Some(from)) => of(self.reduced(from).into_iter().collect(), from.element),
            (M::Pack | M::Unpack, Some(from)) => self.packed(from),
            (op, _) if depends_on_tile(op) => Vec::new(),
            _ => self.any(),
        }
    }

    /// Types of the class of the result, for ops that determine nothing else.
    fn any(&self) -> Vec<Type> {
        let Some(result) = self.named.row.results.first() else { return Vec::new() };
        match result.class {
            Class::TileOf(elements) | Class::ScalarOf(elements) => {
                let usual = elements.iter().find(|element| matches!(element, Element::I32 | Element::F32));
                usual.or(elements.first()).map(|&element| Type::tile(&[], element)).into_iter().collect()
            }
            Class::Any | Class::Tile => vec![Type::tile(&[], Element::I32)],
            Class::Pointers | Class::Pointer => {
                vec![Type::tile_of(&[], Scalar::Pointer(Pointer::to(Element::F32)))]
            }
            _ => Vec::new(),
        }
    }

    /// The type of the literal; for a single number, a scalar or a tile of the shape of a nearby one.
    fn constants(&self) -> Vec<Type> {
        let Some(literal) = &self.literal else { return Vec::new() };
        let nearby = self.shapes().into_iter().filter(|_| literal.shape.is_empty());
        let shapes = std::iter::once(literal.shape.clone()).chain(nearby);
        shapes.map(|shape| Type::tile(&shape, literal.element)).collect()
    }

    fn iota_shapes(&self) -> Vec<Vec<i64>> {
        let extents = self.shapes().into_iter().flatten().filter(|extent| *extent > 1);
        extents.chain([128]).map(|extent| vec![extent]).collect()
    }

    fn broadcast_shapes(&self, from: &TileType) -> Vec<Vec<i64>> {
        let fits = |shape: &Vec<i64>| {
            shape.len() == from.rank()
                && shape[..] != *from.shape
                && from.shape.iter().zip(shape).all(|(from, to)| *from == 1 || from == to)
        };
        let grown =
            from.shape.iter().zip(usual(from.rank())).map(|(&from, usual)| if from == 1 { usual } else { from });
        self.shapes().into_iter().filter(fits).chain([grown.collect()]).collect()
    }

    /// Shapes with as many elements: one more dimension of extent 1, one less, or that of a nearby tile.
    fn reshape_shapes(&self, from: &TileType) -> Vec<Vec<i64>> {
        let mut shapes = Vec::new();
        let ones = from.shape.iter().filter(|extent| **extent == 1).count();
        if ones > 0 {
            shapes.push(from.shape.iter().copied().filter(|extent| *extent > 1).collect());
        }
        let nearby = self.shapes();
        let is_same = |shape: &Vec<i64>| shape.iter().product::<i64>() == from.len() as i64 && shape[..] != *from.shape;
        let rank = nearby.iter().map(Vec::len).find(|rank| *rank > from.rank());
        // To the rank of a nearby tile, as before a broadcast.
        let missing = rank.map_or(1, |rank| rank - from.rank());
        let grown = |before: usize| {
            let ones = |count: usize| std::iter::repeat_n(1, count);
            ones(before).chain(from.shape.iter().copied()).chain(ones(missing - before)).collect::<Vec<i64>>()
        };
        shapes.extend([grown(missing), grown(0)]);
        shapes.extend(nearby.into_iter().filter(is_same));
        shapes
    }

    /// A single element, or the shape of a nearby tile that divides the operand.
    fn extract_shapes(&self, from: &TileType) -> Vec<Vec<i64>> {
        let divides = |shape: &Vec<i64>| {
            shape.len() == from.rank()
                && shape[..] != *from.shape
                && from.shape.iter().zip(shape).all(|(from, to)| from % to == 0)
        };
        std::iter::once(vec![1; from.rank()]).chain(self.shapes().into_iter().filter(divides)).collect()
    }

    fn permuted(&self, from: &TileType) -> Option<Vec<i64>> {
        let Attr::IntList(permutation) = self.attr(AttrName::Permutation)? else { return None };
        let mut sorted = permutation.to_vec();
        sorted.sort_unstable();
        if sorted != (0..from.rank() as i64).collect::<Vec<_>>() {
            return None;
        }
        permutation.iter().map(|&dim| from.shape.get(usize::try_from(dim).ok()?).copied()).collect()
    }

    fn concatenated(&self, from: &TileType) -> Option<Vec<i64>> {
        let (other, dim) = (self.operand(1)?.as_tile()?, usize::try_from(self.attr(AttrName::Dim)?.as_int()?).ok()?);
        let mut shape = from.shape.to_vec();
        let extent = shape.get_mut(dim)?;
        *extent = extent.checked_add(*other.shape.get(dim)?)?;
        Some(shape)
    }

    fn reduced(&self, from: &TileType) -> Option<Vec<i64>> {
        let dim = usize::try_from(self.attr(AttrName::Dim)?.as_int()?).ok()?;
        let mut shape = from.shape.to_vec();
        (dim < shape.len()).then(|| shape.remove(dim))?;
        Some(shape)
    }

    /// The tiles with as many bits: bytes for `pack`, elements of 4 or 8 bits for `unpack`.
    fn packed(&self, from: &TileType) -> Vec<Type> {
        let Scalar::Number(element) = from.element else { return Vec::new() };
        let [count] = from.shape[..] else { return Vec::new() };
        let bits = count * i64::from(element.bits());
        let elements: &[Element] =
            if self.named.row.op == M::Pack { &[Element::I8] } else { &[Element::F4E2M1FN, Element::F8E4M3FN] };
        elements.iter().map(|&element| Type::tile(&[bits / i64::from(element.bits())], element)).collect()
    }
}

/// Whether the result is a rearrangement of the first operand, so that nothing is likely if that is not a single tile.
fn depends_on_tile(op: M) -> bool {
    matches!(op, M::Broadcast | M::Reshape | M::Extract | M::Permute | M::Cat | M::Reduce | M::Pack | M::Unpack)
}
