//! Evaluation of ops on ranges of integers.

use super::range::IntRange;
use crate::ir::{Attr, Body, Dense, Op, Predicate, Value};
use tile_dialect::{AttrName, Mnemonic as M, signedness};

/// The ranges of the values of a body.
pub(super) struct Facts<'a> {
    pub(super) body: &'a Body,
    known: Vec<Option<IntRange>>,
    /// The op that defines each value, for ops that have been visited.
    defined_by: Vec<Option<u32>>,
    /// The bit of the next unused source of variation, or 0 if there are none left.
    next_source: u64,
}

/// The sources of variation of the block indices in each dimension.
pub(super) const BLOCK_SOURCES: [u64; 3] = [1, 2, 4];

impl<'a> Facts<'a> {
    pub(super) fn new(body: &'a Body) -> Facts<'a> {
        let count = body.values.len();
        Facts { body, known: vec![None; count], defined_by: vec![None; count], next_source: 8 }
    }

    /// An unused source of variation; `None` if all are used.
    pub(super) fn source(&mut self) -> Option<u64> {
        let source = self.next_source;
        self.next_source = source.checked_shl(1).unwrap_or(0);
        (source != 0).then_some(source)
    }

    pub(super) fn set(&mut self, value: Value, known: IntRange) {
        self.known[value.0 as usize] = Some(known);
    }

    /// The range of a value; `None` for one without integers.
    pub(super) fn get(&self, value: Value) -> Option<IntRange> {
        self.known[value.0 as usize].or_else(|| Some(IntRange::any(self.bits(value)?)))
    }

    /// The bounds of a value, if they are tighter than those of its type.
    pub(super) fn bounds(&self, value: Value) -> Option<(i64, i64)> {
        let known = self.known[value.0 as usize]?;
        let any = IntRange::any(self.bits(value)?);
        ((known.low, known.high) != (any.low, any.high)).then_some((known.low, known.high))
    }

    /// The width of the integers in a value.
    pub(super) fn bits(&self, value: Value) -> Option<u32> {
        let element = self.body.ty(value).as_tile()?.number()?;
        element.is_int().then(|| element.bits())
    }

    /// The op that defines a value.
    pub(super) fn definition(&self, value: Value) -> Option<&'a Op> {
        self.defined_by[value.0 as usize].map(|op| &self.body.ops[op as usize])
    }

    /// Records the op that defines its results.
    pub(super) fn define(&mut self, index: u32, op: &Op) {
        for result in self.body.results(op) {
            self.defined_by[result.0 as usize] = Some(index);
        }
    }

    /// The extent of a tensor view along a dimension.
    pub(super) fn extent(&self, tensor: Value, dim: usize) -> Option<IntRange> {
        let view = self.body.ty(tensor).as_tensor_view()?;
        let largest = IntRange::within(0, i64::MAX);
        match *view.shape.get(dim)? {
            Some(extent) => Some(IntRange::exactly(extent)),
            None => {
                let open = view.shape[..dim].iter().filter(|extent| extent.is_none()).count();
                let made = self.definition(tensor).filter(|op| op.op == M::MakeTensorView);
                let operand = made.and_then(|op| self.body.group(op, 1).get(open).copied());
                let unsigned = |operand: Value| Some(self.get(operand)?.unsigned(self.bits(operand)?));
                Some(operand.and_then(unsigned).unwrap_or(largest))
            }
        }
    }

    /// The extent of a view's index space along a dimension.
    pub(super) fn index_space(&self, view: Value, dim: usize) -> Option<IntRange> {
        let ty = self.body.ty(view).as_tile_view()?;
        let tensor_dim = ty.tensor_dim(dim);
        let made = self
            .definition(view)
            .filter(|op| matches!(op.op, M::MakePartitionView | M::MakeStridedView | M::MakeGatherScatterView));
        let extent = match (ty.tensor().shape.get(tensor_dim).copied()?, made) {
            (Some(extent), _) => IntRange::exactly(extent),
            (None, Some(op)) => self.extent(self.body.operand(op, 0)?, tensor_dim)?,
            (None, None) => IntRange::within(0, i64::MAX),
        };
        let tiles = |extent: i64| ty.index_space(dim, extent.min(i64::MAX - ty.step(dim)));
        Some(IntRange { low: tiles(extent.low), high: tiles(extent.high), ..extent })
    }

    /// Computes the ranges of an op's results.
    pub(super) fn eval(&mut self, op: &Op) {
        match op.op {
            M::GetTensorShape | M::GetIndexSpaceShape => return self.shape_results(op),
            _ if op.results.len() != 1 => return,
            _ => {}
        }
        let result = Value(op.results.start);
        let Some(bits) = self.bits(result) else { return };
        if let Some(known) = self.result(op, bits) {
            self.set(result, known);
        }
    }

    fn shape_results(&mut self, op: &Op) {
        let Some(view) = self.body.operand(op, 0) else { return };
        for (dim, result) in self.body.results(op).enumerate() {
            let extent = match op.op {
                M::GetTensorShape => self.extent(view, dim),
                _ => self.index_space(view, dim),
            };
            let (Some(extent), Some(bits)) = (extent, self.bits(result)) else { continue };
            let high = IntRange::any(bits).high;
            // The result is unsigned, so one of a narrow type can be negative when read as signed. No tensor is large
            // enough for this to happen with a wider type.
            if extent.high <= high || bits >= 32 {
                self.set(result, extent.clamped(0, high));
            }
        }
    }

    fn result(&mut self, op: &Op, bits: u32) -> Option<IntRange> {
        match op.op {
            M::Constant => return self.constant(op),
            M::Iota => {
                let count = *self.body.ty(Value(op.results.start)).as_tile()?.shape.first()?;
                let source = self.source();
                let fits = count - 1 <= IntRange::any(bits).high;
                return fits.then(|| IntRange::varying(0, count - 1, source));
            }
            _ => {}
        }
        let operand = |index: usize| self.body.operand(op, index).and_then(|value| self.get(value));
        let first = operand(0)?;
        match op.op {
            M::Reshape | M::Broadcast | M::Permute | M::Extract => Some(match op.op {
                // The extracted part need not contain the bounds.
                M::Extract => IntRange { attained: first.only().is_some(), ..first },
                _ => first,
            }),
            M::Cat | M::Insert => Some(first.or(operand(1)?)),
            M::Select => Some(match first.only() {
                Some(0) => operand(2)?,
                Some(_) => operand(1)?,
                None => operand(1)?.or(operand(2)?),
            }),
            M::Assume => Some(self.assumed(op, first)),
            M::Exti => self.extended(op, first),
            M::Trunci => Some(first.monotone(IntRange::exactly(0), bits, |a, _| Some(a))),
            M::Negi => Some(IntRange::exactly(0).monotone(first, bits, |a, b| Some(a - b))),
            _ => self.binary(op, first, operand(1)?, bits),
        }
    }

    fn binary(&self, op: &Op, a: IntRange, b: IntRange, bits: u32) -> Option<IntRange> {
        let both_positive = a.low >= 0 && b.low >= 0;
        Some(match op.op {
            M::Addi => a.monotone(b, bits, |a, b| Some(a + b)),
            M::Subi => a.monotone(b, bits, |a, b| Some(a - b)),
            M::Muli => a.monotone(b, bits, |a, b| a.checked_mul(b)),
            M::Mini if both_positive || self.is_signed(op) => a.monotone(b, bits, |a, b| Some(a.min(b))),
            M::Maxi if both_positive || self.is_signed(op) => a.monotone(b, bits, |a, b| Some(a.max(b))),
            M::Divi if a.low >= 0 && b.low > 0 => {
                let up = self.attr(op, AttrName::Rounding).as_enum() == Some(POSITIVE_INF);
                a.monotone(b, bits, |a, b| Some(if up { (a + b - 1) / b } else { a / b }))
            }
            M::Remi if a.low >= 0 && b.low > 0 => {
                if a.high < b.low {
                    a
                } else {
                    IntRange::within(0, a.high.min(b.high - 1))
                }
            }
            M::Andi if both_positive => IntRange::within(0, a.high.min(b.high)),
            M::Shli if both_positive && b.high < i64::from(bits) => a.monotone(b, bits, |a, b| a.checked_shl(b as u32)),
            M::Shri if both_positive && b.high < i64::from(bits) => a.monotone(b, bits, |a, b| Some(a >> b)),
            M::Cmpi => return self.compared(op, a, b),
            _ => return None,
        })
    }

    fn attr(&self, op: &Op, name: AttrName) -> &'a Attr {
        op.op.row().attr(name).map_or(&Attr::Absent, |(index, _)| self.body.attr(op, index))
    }

    fn is_signed(&self, op: &Op) -> bool {
        self.attr(op, AttrName::Signedness).as_enum() == Some(signedness::SIGNED)
    }

    fn constant(&mut self, op: &Op) -> Option<IntRange> {
        let Attr::Dense(dense) = self.attr(op, AttrName::Value) else { return None };
        let numbers = dense.bits.iter().map(|&bits| signed(dense, bits));
        let (low, high) = (numbers.clone().min()?, numbers.max()?);
        let source = if low == high { None } else { self.source() };
        Some(IntRange::varying(low, high, source))
    }

    fn assumed(&self, op: &Op, value: IntRange) -> IntRange {
        match self.attr(op, AttrName::Predicate) {
            Attr::Predicate(Predicate::Bounded(low, high)) => {
                value.clamped(low.unwrap_or(i64::MIN), high.unwrap_or(i64::MAX))
            }
            _ => value,
        }
    }

    fn extended(&self, op: &Op, value: IntRange) -> Option<IntRange> {
        let from = self.bits(self.body.operand(op, 0)?)?;
        Some(if self.is_signed(op) { value } else { value.unsigned(from) })
    }

    /// The result of a comparison, if it is the same for all values.
    fn compared(&self, op: &Op, a: IntRange, b: IntRange) -> Option<IntRange> {
        if !self.is_signed(op) && (a.low < 0 || b.low < 0) {
            return None;
        }
        let (below, above) = (a.high < b.low, a.low > b.high);
        let (not_above, not_below) = (a.high <= b.low, a.low >= b.high);
        let equal = a.only().is_some() && a.only() == b.only();
        let (yes, no) = match self.attr(op, AttrName::ComparisonPredicate).as_enum()? {
            0 => (equal, below || above),
            1 => (below || above, equal),
            2 => (below, not_below),
            3 => (not_above, above),
            4 => (above, not_above),
            _ => (not_below, below),
        };
        // `i1` is read as signed too, so true is -1.
        if yes || no { Some(IntRange::exactly(-i64::from(yes))) } else { None }
    }
}

/// `rounding<positive_inf>`.
const POSITIVE_INF: u8 = 3;

/// An integer of a constant, interpreted as signed.
fn signed(dense: &Dense, bits: u64) -> i64 {
    let unused = 64 - dense.element.bits();
    (bits << unused) as i64 >> unused
}
