//! One of the two bodies, and what the comparison knows about it so far.

use crate::effects::Effects;
use crate::fingerprint::{Fingerprints, Tokens};
use crate::numbering::{Classes, Numbering, Pins};
use crate::side::Side;
use crate::signature::Signature;
use crate::slots::{Place, carried_group};
use rustc_hash::FxHashMap;
use tile_analysis::ir::{Def, OpId, Value};

/// One body, and what is known about it so far.
pub(crate) struct Half<'a> {
    pub(crate) side: &'a Side<'a>,
    pub(crate) signatures: Vec<Signature>,
    pub(crate) strict: Fingerprints,
    pub(crate) loose: Fingerprints,
    pub(crate) pins: Pins,
    pub(crate) classes: Classes,
    /// The number of pure ops of each class that are not aligned yet.
    counts: FxHashMap<u32, usize>,
    /// The aligned op of the other body.
    pub(crate) partner: Vec<Option<OpId>>,
}

impl<'a> Half<'a> {
    pub(crate) fn new(side: &'a Side<'a>, signatures: Vec<Signature>) -> Half<'a> {
        let strict = Fingerprints::of(side, &signatures, Tokens::Included);
        let loose = Fingerprints::of(side, &signatures, Tokens::Ignored);
        let partner = vec![None; side.body.ops.len()];
        let (pins, classes, counts) = (Pins::default(), Classes::default(), FxHashMap::default());
        Half { side, signatures, strict, loose, pins, classes, counts, partner }
    }

    pub(crate) fn effects(&self) -> Effects<'_> {
        Effects { side: self.side, signatures: &self.signatures, strict: &self.strict, loose: &self.loose }
    }

    pub(crate) fn place(&self, op: OpId) -> Place<'_> {
        Place { side: self.side, prints: &self.loose, op }
    }

    pub(crate) fn number(&mut self, numbering: &mut Numbering) {
        self.classes = numbering.number(self.side, &self.signatures, &self.pins);
        let mut counts = FxHashMap::default();
        for op in self.side.all_ops().filter(|&op| self.is_open(op)) {
            *counts.entry(self.class(op)).or_default() += 1;
        }
        self.counts = counts;
    }

    /// Whether an op is pure and not aligned. An op inside of such an op is not considered on its own.
    pub(crate) fn is_open(&self, op: OpId) -> bool {
        let is_open = |op: OpId| self.side.is_pure(op) && self.partner[op.0 as usize].is_none();
        is_open(op) && !self.side.owner_of(op).is_some_and(is_open)
    }

    pub(crate) fn class(&self, op: OpId) -> u32 {
        self.classes.ops[op.0 as usize]
    }

    pub(crate) fn class_of(&self, value: Value) -> u32 {
        let class = self.pins.values.get(&value).copied();
        class.unwrap_or_else(|| self.classes.values[value.0 as usize])
    }

    /// Whether an op has no counterpart among the ops of the other body.
    pub(crate) fn is_alone(&self, op: OpId, other: &Half) -> bool {
        let count = |half: &Half| half.counts.get(&self.class(op)).copied().unwrap_or(0);
        self.partner[op.0 as usize].is_none() && (!self.side.is_pure(op) || count(self) > count(other))
    }

    /// Whether a value has no counterpart.
    pub(crate) fn is_value_alone(&self, value: Value, other: &Half) -> bool {
        match self.side.def(value) {
            Some(Def::Result(op, _)) => self.is_alone(op, other),
            Some(Def::Argument(..)) => !self.pins.values.contains_key(&value),
            None => false,
        }
    }

    /// The values that a value is computed from directly. Those of a carried value are its initial value.
    pub(crate) fn sources(&self, value: Value) -> &'a [Value] {
        let body = self.side.body;
        match self.side.def(value) {
            Some(Def::Result(op, _)) => body.operands(self.side.op(op)),
            Some(Def::Argument(region, index)) => {
                let Some(owner) = self.side.owner[region.0 as usize].map(|owner| self.side.op(owner)) else {
                    return &[];
                };
                let Some(inits) = carried_group(owner.op).map(|group| body.group(owner, group)) else { return &[] };
                let others = body.region(region).args.len().saturating_sub(inits.len());
                index.checked_sub(others).and_then(|index| inits.get(index..=index)).unwrap_or(&[])
            }
            None => &[],
        }
    }
}
