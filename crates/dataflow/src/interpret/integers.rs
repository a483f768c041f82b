//! Integer arithmetic and constants.

use super::{Address, Interpreter, Symbolic};
use crate::access::Base;
use crate::symbolic::{Function, Poly, Symbol};
use tile_analysis::ir::{Attr, Body, Op, Predicate, Value};
use tile_dialect::{AttrName, Mnemonic as M, predicate, rounding, signedness};

impl Interpreter<'_> {
    /// A value about which only its type is known.
    pub(super) fn unknown(&self, value: Value, symbol: Symbol) -> Symbolic {
        let Some(tile) = self.body.ty(value).as_tile() else { return Symbolic::Opaque };
        match (tile.number(), tile.pointee()) {
            (Some(element), _) if element.is_int() => Symbolic::Integer(symbol.into()),
            (_, Some(_)) => {
                let base = if matches!(symbol, Symbol::Param(_)) { Base::Param(value) } else { Base::Computed(value) };
                // The elements of a tile of pointers are at different distances from the first one.
                let bits = if tile.rank() == 0 { Poly::default() } else { symbol.into() };
                Symbolic::Pointer(Address { base, bits })
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
            M::Absi => self.operand(op, 0).and_then(|value| Function::Max.of(vec![value.clone(), value.scale(-1)?]))?,
            M::Cmpi => self.comparison(op)?,
            M::Select => Function::Select.of(vec![self.operand(op, 0)?, self.operand(op, 1)?, self.operand(op, 2)?])?,
            _ if element.bits() == 1 => self.of_truths(op)?,
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
        match (from.bits(), self.is_signed(op)) {
            (1, true) => value.scale(-1),
            (1, false) | (_, true) => Some(value),
            (_, false) => self.unsigned(op, 0),
        }
    }

    fn is_signed(&self, op: &Op) -> bool {
        self.attr(op, AttrName::Signedness).as_enum() == Some(signedness::SIGNED)
    }

    /// The operand of an op, read as an unsigned integer.
    pub(super) fn unsigned(&self, op: &Op, index: usize) -> Option<Poly> {
        self.as_unsigned(self.body.operand(op, index)?)
    }

    /// A value, read as an unsigned integer.
    pub(super) fn as_unsigned(&self, value: Value) -> Option<Poly> {
        let poly = self.integer(value)?;
        let bits = self.body.ty(value).as_tile()?.number()?.bits();
        // A truth value is 0 or 1.
        if bits == 1 || is_assumed_natural(self.body, value) {
            return Some(poly);
        }
        Function::Unsigned.of(vec![poly, i64::from(bits).into()])
    }

    /// The first two operands of an op, as its signedness says.
    fn operands(&self, op: &Op) -> Option<(Poly, Poly)> {
        match self.attr(op, AttrName::Signedness).as_enum() {
            Some(signedness) if signedness != signedness::SIGNED => {
                Some((self.unsigned(op, 0)?, self.unsigned(op, 1)?))
            }
            // The only bit of a signed truth value is its sign.
            Some(_) if self.is_truth(self.body.operand(op, 0)?) => {
                Some((self.operand(op, 0)?.scale(-1)?, self.operand(op, 1)?.scale(-1)?))
            }
            _ => Some((self.operand(op, 0)?, self.operand(op, 1)?)),
        }
    }

    fn is_truth(&self, value: Value) -> bool {
        self.body.ty(value).as_tile().and_then(|tile| tile.number()).is_some_and(|element| element.bits() == 1)
    }

    /// The signed integer with the same bits as an unsigned result.
    fn as_signed(&self, op: &Op, result: Poly) -> Option<Poly> {
        let bits = self.body.ty(Value(op.results.start)).as_tile()?.number()?.bits();
        let has_wrapped = |symbols: &Poly| symbols.applies(Function::Unsigned);
        if has_wrapped(&result) { Function::Signed.of(vec![result, i64::from(bits).into()]) } else { Some(result) }
    }

    /// Arithmetic of truth values, which keeps the low bit.
    fn of_truths(&self, op: &Op) -> Option<Poly> {
        let function = match op.op {
            M::Addi | M::Subi => Function::Xor,
            M::Muli => Function::And,
            // The result is signed as well.
            M::Mini | M::Maxi => return self.binary(op)?.scale(if self.is_signed(op) { -1 } else { 1 }),
            M::Andi | M::Ori | M::Xori => return self.binary(op),
            _ => return None,
        };
        function.of(vec![self.operand(op, 0)?, self.operand(op, 1)?])
    }

    fn binary(&self, op: &Op) -> Option<Poly> {
        let (a, b) = self.operands(op)?;
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
        self.as_signed(op, function.of(vec![a, b])?)
    }

    fn comparison(&self, op: &Op) -> Option<Poly> {
        let (a, b) = self.operands(op)?;
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

/// Whether an `assume` states that a value is not negative, also before it was rearranged.
fn is_assumed_natural(body: &Body, value: Value) -> bool {
    let Some(op) = body.defining_op(value).map(|op| body.op(op)) else { return false };
    let is_bound = |attr: &Attr| matches!(attr, Attr::Predicate(Predicate::Bounded(Some(0..), _)));
    match op.op {
        M::Assume if body.attrs_of(op).iter().any(is_bound) => true,
        M::Assume | M::Reshape | M::Broadcast => {
            body.operand(op, 0).is_some_and(|source| is_assumed_natural(body, source))
        }
        _ => false,
    }
}
