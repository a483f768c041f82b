//! An op as its planner sees it: its operands, attributes and types, by the names in its row.

use crate::values::tile::ScalarKind;
use tile_analysis::ir::{Attr, Body, Module, Op, OpId};
use tile_analysis::types::{self, TileType, Type};
use tile_dialect::{AttrName, Element, OpRow, OperandName, ordering, signedness};

/// An op and its context.
#[derive(Clone, Copy)]
pub(crate) struct OpContext<'a> {
    /// The module that contains it.
    pub(crate) module: &'a Module,
    /// The entry that contains it.
    pub(crate) body: &'a Body,
    /// The op.
    pub(crate) op: &'a Op,
    /// Its number.
    pub(crate) id: OpId,
    /// The mode of the plan.
    pub(crate) mode: Mode,
}

/// The mode of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Fast: only ops read values, so values can have other representations, and ops that only rename a value are
    /// removed.
    Optimized,
    /// Observable: every op of the text runs, and every value is stored.
    Observable,
    /// Sanitized: observable, and ops check conditions that they otherwise trust.
    Sanitized,
}

impl<'a> OpContext<'a> {
    /// The index of an operand row's first value among all operands, and the number of its values.
    pub(crate) fn group(&self, operand: impl OperandKey) -> (usize, usize) {
        let row = operand.index(self.op.op.row());
        let before = (0..row).map(|row| self.body.group(self.op, row).len()).sum();
        (before, self.body.group(self.op, row).len())
    }

    /// The index among all operands of an optional operand, or of one that the op may not have at all.
    pub(crate) fn optional(&self, name: OperandName) -> Option<usize> {
        self.op.op.row().operand(name)?;
        let (place, count) = self.group(name);
        (count > 0).then_some(place)
    }

    /// The index among all operands of a required operand.
    pub(crate) fn place(&self, operand: impl OperandKey) -> usize {
        self.group(operand).0
    }

    /// The type of an operand.
    pub(crate) fn operand_type(&self, operand: impl OperandKey) -> Type {
        let row = operand.index(self.op.op.row());
        self.body.operand(self.op, row).map_or(Type::unknown(), |value| self.body.ty(value))
    }

    /// The type of an operand that is a tile.
    pub(crate) fn operand(&self, operand: impl OperandKey) -> Tiled {
        Tiled::of(self.operand_type(operand))
    }

    /// The type of the result at `index`.
    pub(crate) fn result_type(&self, index: usize) -> Type {
        self.body.results(self.op).nth(index).map_or(Type::unknown(), |value| self.body.ty(value))
    }

    /// The type of the result at `index`, a tile.
    pub(crate) fn result(&self, index: usize) -> Tiled {
        Tiled::of(self.result_type(index))
    }

    /// An attribute.
    pub(crate) fn attr(&self, name: AttrName) -> &'a Attr {
        let (index, _) = self.op.op.row().attr(name).unwrap_or_else(|| unreachable!("an attribute {name:?}"));
        self.body.attr(self.op, index)
    }

    /// The value of an enum attribute; 0 if it is absent.
    pub(crate) fn choice(&self, name: AttrName) -> u8 {
        self.attr(name).as_enum().unwrap_or(0)
    }

    /// Whether a flag is present.
    pub(crate) fn flag(&self, name: AttrName) -> bool {
        self.attr(name).is_flag()
    }

    /// The value of a number attribute; 0 if it is absent.
    pub(crate) fn int(&self, name: AttrName) -> i64 {
        self.attr(name).as_int().unwrap_or(0)
    }

    /// Whether a memory access is weak.
    pub(crate) fn is_weak(&self) -> bool {
        self.choice(AttrName::MemoryOrderingSemantics) == ordering::WEAK
    }

    /// Whether a signedness attribute is `signed`.
    pub(crate) fn signed(&self, name: AttrName) -> bool {
        self.choice(name) == signedness::SIGNED
    }
}

/// Identifies an operand row of an op: by its name, or by its index in the row.
pub(crate) trait OperandKey: Copy {
    fn index(self, row: &OpRow) -> usize;
}

impl OperandKey for OperandName {
    fn index(self, row: &OpRow) -> usize {
        row.operand(self).unwrap_or_else(|| unreachable!("an operand {self:?}")).0
    }
}

impl OperandKey for usize {
    fn index(self, _: &OpRow) -> usize {
        self
    }
}

/// The properties of a tile type.
#[derive(Clone, Debug)]
pub(crate) struct Tiled {
    /// The extents.
    pub(crate) shape: Box<[i64]>,
    /// The element; `i64` for pointers.
    pub(crate) element: Element,
    /// The pointee type, if it holds pointers.
    pub(crate) pointee: Option<Element>,
    /// The Rust type of its elements.
    pub(crate) kind: ScalarKind,
    /// The number of its elements.
    pub(crate) count: usize,
}

impl Tiled {
    /// The properties of a type. In a verified program, planners only ask for those of tiles; any other type is treated
    /// as a scalar.
    pub(crate) fn of(ty: Type) -> Tiled {
        match ty.as_tile() {
            Some(tile) => Tiled::of_tile(tile),
            None => Tiled::of_tile(&TileType { shape: [].into(), element: types::Scalar::Number(Element::I64) }),
        }
    }

    fn of_tile(tile: &TileType) -> Tiled {
        let element = tile.number().unwrap_or(Element::I64);
        Tiled {
            shape: tile.shape.clone(),
            element,
            pointee: tile.pointee(),
            kind: ScalarKind::of(element),
            count: tile.len(),
        }
    }

    /// The extents as sizes.
    pub(crate) fn extents(&self) -> Vec<usize> {
        self.shape.iter().map(|&extent| extent as usize).collect()
    }
}
