//! Pointers and views.

use super::branches::either;
use super::{Address, Interpreter, Symbolic, Tensor};
use crate::access::{Base, memory_bits};
use crate::symbolic::{Function, Poly};
use std::rc::Rc;
use tile_analysis::ir::{Attr, Op, OpId, Value};
use tile_dialect::{AttrName, Mnemonic as M};

impl Interpreter<'_> {
    pub(super) fn pointer(&self, id: OpId, op: &Op) -> Option<Symbolic> {
        let result = Value(op.results.start);
        let pointee = self.body.ty(result).as_tile()?.pointee()?;
        let base = match op.op {
            M::Alloca => Base::Scratch(id),
            M::GetGlobal => match self.attr(op, AttrName::Name) {
                Attr::Symbol(name) => Base::Global(name.clone()),
                _ => return None,
            },
            M::Offset => {
                let Symbolic::Pointer(address) = self.get(self.body.operand(op, 0)?) else { return None };
                let distance = self.operand(op, 1)?.scale(memory_bits(pointee).into())?;
                return Some(Symbolic::Pointer(Address { bits: address.bits.add(&distance)?, ..address }));
            }
            M::PtrToPtr | M::Assume => {
                let source = self.get(self.body.operand(op, 0)?);
                return matches!(source, Symbolic::Pointer(_)).then_some(source);
            }
            M::Select => {
                let condition = self.operand(op, 0)?;
                let [yes, no] = [1, 2].map(|index| self.body.operand(op, index));
                return either(Some(&condition), &self.get(yes?), &self.get(no?));
            }
            _ => return None,
        };
        Some(Symbolic::Pointer(Address { base, bits: Poly::default() }))
    }

    pub(super) fn view(&self, op: &Op) -> Option<Symbolic> {
        match op.op {
            M::MakeTensorView => Some(Symbolic::Tensor(Rc::new(self.tensor(op)?))),
            M::MakePartitionView | M::MakeStridedView | M::MakeGatherScatterView => {
                let view = self.body.ty(Value(op.results.start)).as_tile_view()?;
                let Symbolic::Tensor(tensor) = self.get(self.body.operand(op, 0)?) else { return None };
                Some(Symbolic::Tiled(tensor, view))
            }
            _ => None,
        }
    }

    fn tensor(&self, op: &Op) -> Option<Tensor> {
        let ty = self.body.ty(Value(op.results.start)).as_tensor_view()?;
        let start = match self.get(self.body.operand(op, 0)?) {
            Symbolic::Pointer(address) => Some(address),
            _ => None,
        };
        let shape = self.mixed(&ty.shape, self.body.group(op, 1))?;
        let strides = self.mixed(&ty.strides, self.body.group(op, 2))?;
        Some(Tensor { start, shape, strides, element: ty.element })
    }

    /// Numbers that are known in the type, and operands for the others.
    fn mixed(&self, known: &[Option<i64>], operands: &[Value]) -> Option<Vec<Poly>> {
        let mut operands = operands.iter();
        let number = |known: &Option<i64>| match known {
            Some(number) => Some(Poly::from(*number)),
            None => self.integer(*operands.next()?),
        };
        known.iter().map(number).collect()
    }

    /// The results of ops that return the extents of a view.
    pub(super) fn extents(&mut self, op: &Op) {
        let Some(view) = self.body.operand(op, 0) else { return };
        let extents = match self.get(view) {
            Symbolic::Tensor(tensor) => tensor.shape.iter().cloned().map(Some).collect(),
            Symbolic::Tiled(tensor, ty) => {
                let count = |dim: usize| {
                    let extent = tensor.shape.get(ty.tensor_dim(dim))?.clone();
                    Function::Ceiling.of(vec![extent, ty.step(dim).into()])
                };
                (0..ty.tile.len()).map(count).collect::<Vec<_>>()
            }
            _ => return,
        };
        for (result, extent) in self.body.results(op).zip(extents) {
            if let Some(extent) = extent {
                self.set(result, Symbolic::Integer(extent));
            }
        }
    }
}
