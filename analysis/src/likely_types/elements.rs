//! The element types of conversions.

use super::statement::Statement;
use crate::types::{Pointer, Scalar, Type};
use tile_dialect::{Class, Element, Mnemonic};

/// Whether an op changes the element type of a tile, but not its shape.
pub(super) fn is_conversion(op: Mnemonic) -> bool {
    use Mnemonic as M;
    matches!(
        op,
        M::Bitcast | M::Exti | M::Trunci | M::Ftof | M::Ftoi | M::Itof | M::IntToPtr | M::PtrToInt | M::PtrToPtr
    )
}

/// The usual element types, likeliest first; then the others.
const USUAL: [Element; 8] =
    [Element::F32, Element::I32, Element::F16, Element::BF16, Element::I64, Element::I8, Element::F64, Element::I16];

impl Statement {
    /// The types that the operand can be converted to.
    pub(super) fn conversions(&self) -> Vec<Type> {
        let Some(from) = self.operand(0).and_then(Type::as_tile) else { return Vec::new() };
        let Some(to) = self.named.row.results.first() else { return Vec::new() };
        let of = |scalar: Scalar| Type::tile_of(&from.shape, scalar);
        if matches!(to.class, Class::Pointers | Class::Pointer) {
            let nearby = self.visible.iter().filter_map(|ty| ty.as_tile()?.pointer());
            let usual = [Element::F32, Element::I32, Element::F16].map(Pointer::to);
            let pointers = nearby.chain(usual).map(Scalar::Pointer);
            return pointers.filter(|pointer| *pointer != from.element).map(of).collect();
        }
        let others = tile_dialect::ELEMENTS.iter().filter(|row| row.since <= self.version).map(|row| row.element);
        let elements = USUAL.into_iter().chain(others).filter(|&element| self.converts(from.element, element));
        elements.map(|element| of(Scalar::Number(element))).collect()
    }

    /// Whether the op can convert these elements.
    fn converts(&self, from: Scalar, to: Element) -> bool {
        let Scalar::Number(from) = from else { return self.named.row.op == Mnemonic::PtrToInt };
        if from == to {
            return false;
        }
        match self.named.row.op {
            Mnemonic::Bitcast => from.bits() == to.bits(),
            Mnemonic::Exti => from.bits() < to.bits(),
            Mnemonic::Trunci => from.bits() > to.bits(),
            _ => true,
        }
    }
}
