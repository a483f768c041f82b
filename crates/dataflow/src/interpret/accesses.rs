//! The access of a load, a store or an atomic op.

use super::lanes::lane;
use super::{Interpreter, Symbolic, Tensor};
use crate::access::{Access, Direction, Mask, Selection, memory_bits};
use crate::overflow::Integers;
use crate::symbolic::{Poly, Symbol};
use tile_analysis::ir::{Op, OpId, Value};
use tile_analysis::types::{self, TileViewType};
use tile_dialect::{Group, OpRow, OperandName, Rule};

impl Interpreter<'_> {
    /// The access of an op; `None` if it accesses no memory.
    pub(super) fn access(&self, id: OpId, op: &Op) -> Option<Access> {
        let row = op.op.row();
        let access = row.rules.iter().find_map(|rule| match *rule {
            Rule::PointsTo(pointers, tile) => self.through_pointers(id, op, named(row, pointers)?, tile),
            Rule::TileOfView(tile, view) => self.through_view(id, op, named(row, view)?, tile),
            _ => None,
        })?;
        Some(Access { loops: self.loops.clone(), conditions: self.conditions.clone(), ..access })
    }

    fn through_pointers(&self, id: OpId, op: &Op, pointers: usize, tile: &str) -> Option<Access> {
        let pointers = self.body.operand(op, pointers)?;
        let ty = self.body.ty(pointers).as_tile()?;
        let element = ty.pointee()?;
        let address = match self.get(pointers) {
            Symbolic::Pointer(address) => Some(address),
            _ => None,
        };
        let coordinate = address.as_ref().and_then(|address| address.bits.divide_exactly(memory_bits(element).into()));
        let mask = op.op.row().operand(OperandName::Mask).and_then(|(index, _)| self.body.operand(op, index));
        Some(Access {
            op: id,
            direction: direction(op.op.row(), tile),
            selection: Selection::Pointers,
            base: address.map(|address| address.base),
            element,
            tile: ty.shape.to_vec(),
            coordinates: coordinate.map(|coordinate| vec![coordinate]),
            offset_bits: Some(Poly::default()),
            shape: Vec::new(),
            strides: Vec::new(),
            mask: match mask {
                None => Mask::Absent,
                Some(mask) => self.known_mask(mask),
            },
            loops: Vec::new(),
            conditions: Vec::new(),
            integers: Integers::default(),
        })
    }

    fn known_mask(&self, mask: Value) -> Mask {
        let Some(poly) = self.integer(mask) else { return Mask::Unknown(mask) };
        match poly.unknown() {
            Some(value) => Mask::Unknown(value),
            None => Mask::Known(poly),
        }
    }

    fn through_view(&self, id: OpId, op: &Op, view: usize, tile: &str) -> Option<Access> {
        let view = self.body.operand(op, view)?;
        let ty = self.body.ty(view).as_tile_view()?;
        let tensor = match self.get(view) {
            Symbolic::Tiled(tensor, _) => Some(tensor),
            _ => None,
        };
        let (indices, _) = op.op.row().operand(OperandName::Index)?;
        let start = tensor.as_ref().and_then(|tensor: &std::rc::Rc<Tensor>| tensor.start.clone());
        let selection = match ty.access {
            types::Access::GatherScatter { sparse_dim } => Selection::Sparse(sparse_dim),
            _ => Selection::Slice,
        };
        Some(Access {
            op: id,
            direction: direction(op.op.row(), tile),
            selection,
            base: start.as_ref().map(|start| start.base.clone()),
            element: ty.tensor().element,
            tile: ty.tile.to_vec(),
            coordinates: self.coordinates(ty, self.body.group(op, indices)),
            offset_bits: start.map(|start| start.bits),
            shape: tensor.as_ref().map_or_else(Vec::new, |tensor| tensor.shape.clone()),
            strides: tensor.as_ref().map_or_else(Vec::new, |tensor| tensor.strides.clone()),
            mask: Mask::Absent,
            loops: Vec::new(),
            conditions: Vec::new(),
            integers: Integers::default(),
        })
    }

    /// An index of a tile, which is unsigned. That makes no difference for wide types, of which both readings of a
    /// negative index are outside of every tensor.
    fn view_index(&self, index: Value) -> Option<Poly> {
        let is_narrow = self.body.ty(index).as_tile()?.number()?.bits() < 32;
        if is_narrow { self.as_unsigned(index) } else { self.integer(index) }
    }

    /// The coordinates in the tensor of the element at the position of the lanes.
    fn coordinates(&self, view: &TileViewType, indices: &[Value]) -> Option<Vec<Poly>> {
        let mut coordinates = vec![None; view.tile.len()];
        for (dim, &index) in indices.iter().enumerate() {
            let index = self.view_index(index)?;
            let lane = lane(dim, *view.tile.get(dim)?);
            let coordinate = match view.access {
                // The indices are a tile of rank 1, whose lane is that of the sparse dimension.
                types::Access::GatherScatter { sparse_dim } if sparse_dim == dim => {
                    index.substitute(&|symbol| matches!(symbol, Symbol::Lane(..)).then(|| lane.clone()))?
                }
                _ => index.scale(view.step(dim))?.add(&lane)?,
            };
            *coordinates.get_mut(view.tensor_dim(dim))? = Some(coordinate);
        }
        coordinates.into_iter().collect()
    }
}

fn named(row: &OpRow, operand: &str) -> Option<usize> {
    row.operand_named(operand).map(|(index, _)| index)
}

/// A tile that is an operand is written, and one that is a result is read.
fn direction(row: &OpRow, tile: &str) -> Direction {
    match row.operand_named(tile) {
        _ if row.group == Group::Atomic => Direction::Update,
        Some(_) => Direction::Write,
        None => Direction::Read,
    }
}
