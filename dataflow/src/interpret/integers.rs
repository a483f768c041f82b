//! Integer arithmetic and constants.

use super::{Address, Interpreter, Symbolic};
use crate::access::Base;
use crate::symbolic::{Function, Poly, Symbol};
use tile_analysis::ir::{Attr, Op, Value};
use tile_dialect::{AttrName, Mnemonic as M, predicate, rounding, signedness};

impl Interpreter<'_> {
    /// A value about which only its type is known.
    pub(super) fn unknown(&self, value: Value, symbol: Symbol) -> Symbolic {
        let Some(tile) = self.body.ty(value).as_tile() else { return Symbolic::Opaque };
        match (tile.number(), tile.pointee()) {
            (Some(element), _) if element.is_int() => Symbolic::Integer(symbol.into()),
            (_, Some(_)) if tile.rank() == 0 => {
                let base = if matches!(symbol, Symbol::Param(_)) { Base::Param(value) } else { Base::Computed(value) };
                Symbolic::Pointer(Address { base, bits: Poly::default() })
            }
            _ => Symbolic::Opaque,
        }
    }

    pub(super) fn arithmetic(&self, op: &Op) -> Option<Symbolic> {
        let result = Value(op.results.start);
        let element = self.body.ty(result).as_tile()?.number().filter(|element| element.is_int())?;
        let poly = match op.op {
            M::Constant => self.constant(op)?,
            M::Assume => self.operand(op, 0)?,
            M::Exti => self.widened(op)?,
            M::Trunci if element.bits() > 1 => self.operand(op, 0)?,
            M::Negi => self.operand(op, 0)?.scale(-1)?,
            M::Cmpi => self.comparison(op)?,
            M::Select => Function::Select.of(vec![self.operand(op, 0)?, self.operand(op, 1)?, self.operand(op, 2)?])?,
            _ => self.binary(op)?,
        };
        Some(Symbolic::Integer(poly))
    }

    fn constant(&self, op: &Op) -> Option<Poly> {
        let Attr::Dense(dense) = self.attr(op, AttrName::Value) else { return None };
        let [bits] = *dense.bits else { return None };
        let unused = 64 - dense.element.bits();
        // A truth value is 0 or 1.
        Some(Poly::from(if unused == 63 { (bits & 1) as i64 } else { (bits << unused) as i64 >> unused }))
    }

    fn widened(&self, op: &Op) -> Option<Poly> {
        let from = self.body.ty(self.body.operand(op, 0)?).as_tile()?.number()?;
        let value = self.operand(op, 0)?;
        match from.bits() {
            1 if self.is_signed(op) => value.scale(-1),
            _ => Some(value),
        }
    }

    fn is_signed(&self, op: &Op) -> bool {
        self.attr(op, AttrName::Signedness).as_enum() == Some(signedness::SIGNED)
    }

    fn binary(&self, op: &Op) -> Option<Poly> {
        let (a, b) = (self.operand(op, 0)?, self.operand(op, 1)?);
        let function = match op.op {
            M::Addi => return a.add(&b),
            M::Subi => return a.sub(&b),
            M::Muli => return a.mul(&b),
            M::Divi => match self.attr(op, AttrName::Rounding).as_enum() {
                Some(rounding::POSITIVE_INF) => Function::Ceiling,
                Some(rounding::NEGATIVE_INF) => Function::Floor,
                _ => Function::Quotient,
            },
            M::Remi => Function::Remainder,
            M::Mini => Function::Min,
            M::Maxi => Function::Max,
            M::Andi => Function::And,
            M::Ori => Function::Or,
            M::Xori => Function::Xor,
            M::Shli => Function::ShiftLeft,
            M::Shri => Function::ShiftRight,
            _ => return None,
        };
        function.of(vec![a, b])
    }

    fn comparison(&self, op: &Op) -> Option<Poly> {
        let (a, b) = (self.operand(op, 0)?, self.operand(op, 1)?);
        let not = |truth: Poly| Poly::from(1).sub(&truth);
        match self.attr(op, AttrName::ComparisonPredicate).as_enum()? {
            predicate::EQUAL => Function::Equal.of(vec![a, b]),
            predicate::NOT_EQUAL => not(Function::Equal.of(vec![a, b])?),
            predicate::LESS_THAN => Function::Less.of(vec![a, b]),
            predicate::GREATER_THAN => Function::Less.of(vec![b, a]),
            predicate::LESS_THAN_OR_EQUAL => not(Function::Less.of(vec![b, a])?),
            _ => not(Function::Less.of(vec![a, b])?),
        }
    }
}
