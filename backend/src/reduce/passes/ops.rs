//! Ops. What they computed is something else of the same type from then on: an operand, a constant, another value.

use super::units::Units;
use crate::reduce::draft::Draft;
use crate::reduce::seen::{Item, Seen};
use std::ops::Range;
use tile_analysis::ir::{OpId, RegionId, Value};
use tile_analysis::types::{Scalar, Type, TypeKind};
use tile_dialect::Mnemonic;

/// The ops of all entries, the last first; constants take the place of results.
pub(super) fn by_constants(seen: &Seen) -> Box<dyn Units + '_> {
    Box::new(Ops::new(seen, false))
}

/// The same; other values take the place of results, where there are any.
pub(super) fn by_values(seen: &Seen) -> Box<dyn Units + '_> {
    Box::new(Ops::new(seen, true))
}

struct Ops<'s> {
    seen: &'s Seen,
    prefers_values: bool,
    /// Each op by its item and its number there.
    all: Vec<(usize, OpId)>,
}

impl<'s> Ops<'s> {
    fn new(seen: &'s Seen, prefers_values: bool) -> Ops<'s> {
        let of_item = |(index, item): (usize, &'s Item)| {
            let ops = item.lowered.body.ops.iter().enumerate();
            let removable = ops.filter(|(_, op)| !op.op.row().is_terminator());
            removable.map(move |(op, _)| (index, OpId(op as u32)))
        };
        let mut all: Vec<_> = seen.items.iter().enumerate().flat_map(of_item).collect();
        all.reverse();
        Ops { seen, prefers_values, all }
    }
}

impl Units for Ops<'_> {
    fn len(&self) -> usize {
        self.all.len()
    }

    fn without(&self, units: Range<usize>) -> Option<String> {
        let chosen = self.all.get(units)?;
        let mut draft = Draft::default();
        for (index, item) in self.seen.items.iter().enumerate() {
            let ops: Vec<OpId> = chosen.iter().filter(|(own, _)| *own == index).map(|(_, op)| *op).collect();
            if !ops.is_empty() {
                Removal::new(self.seen.text_of(item), item, &ops, self.prefers_values)
                    .write(&self.seen.text, &mut draft);
            }
        }
        Some(draft.apply(&self.seen.text))
    }
}

/// What takes the place of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Instead {
    /// Another value, which may be gone too.
    Value(Value),
    /// A constant, which takes the op's place.
    Constant,
}

/// Ops of one entry that go.
struct Removal<'i> {
    text: &'i str,
    item: &'i Item,
    homes: Vec<RegionId>,
    /// Whether each op goes.
    goes: Vec<bool>,
    prefers_values: bool,
}

impl<'i> Removal<'i> {
    fn new(text: &'i str, item: &'i Item, ops: &[OpId], prefers_values: bool) -> Removal<'i> {
        let homes = item.homes();
        let goes = vec![false; item.lowered.body.ops.len()];
        let mut removal = Removal { text, item, homes, goes, prefers_values };
        for &op in ops {
            let results = removal.item.lowered.body.results(removal.item.lowered.body.op(op));
            let statement = &item.lowered.spans.statements[op.0 as usize];
            let mut used = results.filter(|value| removal.is_used_outside(*value, statement));
            let can_go = used.all(|value| removal.instead(value).is_some());
            removal.goes[op.0 as usize] = can_go;
        }
        removal
    }

    fn is_used_outside(&self, value: Value, statement: &Range<u32>) -> bool {
        self.uses_of(value).any(|range| range.end <= statement.start || statement.end <= range.start)
    }

    fn uses_of(&self, value: Value) -> impl Iterator<Item = &'i Range<u32>> {
        self.item.lowered.spans.uses.iter().filter(move |(_, used)| *used == value).map(|(range, _)| range)
    }

    /// What can take the place of an op's result.
    fn instead(&self, value: Value) -> Option<Instead> {
        let body = &self.item.lowered.body;
        let (op, ty) = (body.defining_op(value)?, body.ty(value));
        let operand = || body.operands(body.op(op)).iter().copied().find(|&operand| body.ty(operand) == ty);
        let is_plain = matches!(body.op(op).op, Mnemonic::Constant | Mnemonic::MakeToken);
        let constant = || (!is_plain && constant("", ty).is_some()).then_some(Instead::Constant);
        let other = || self.visible(op, ty).map(Instead::Value);
        let operand = operand().map(Instead::Value);
        if self.prefers_values {
            operand.or_else(other).or_else(constant)
        } else {
            operand.or_else(constant).or_else(other)
        }
    }

    /// Another value of a type that can be used where an op stands: the last one before it.
    fn visible(&self, op: OpId, ty: Type) -> Option<Value> {
        let body = &self.item.lowered.body;
        let around = self.regions_around(op);
        let arguments = around.iter().flat_map(|region| body.region(*region).args.iter().copied());
        let results = (0..op.0).rev().map(OpId).filter(|other| around.contains(&self.homes[other.0 as usize]));
        // An op around this one has no results yet.
        let own = self.item.lowered.spans.statements[op.0 as usize].start;
        let ended = results.filter(|other| self.item.lowered.spans.statements[other.0 as usize].end <= own);
        let results = ended.flat_map(|other| body.results(body.op(other)));
        let named = |value: &Value| self.item.name_of(self.text, *value).is_some();
        results.chain(arguments).find(|value| body.ty(*value) == ty && named(value))
    }

    fn regions_around(&self, op: OpId) -> Vec<RegionId> {
        let body = &self.item.lowered.body;
        let mut found = vec![self.homes[op.0 as usize]];
        while let Some(&inner) = found.last() {
            let Some(owner) = body.ops.iter().position(|op| op.regions.contains(&inner.0)) else { break };
            found.push(self.homes[owner]);
        }
        found
    }

    /// The value that is used instead of another one in the end. Where its op goes too, it is a constant there.
    fn end_of(&self, mut value: Value) -> Value {
        while let Some(op) = self.item.lowered.body.defining_op(value).filter(|op| self.goes[op.0 as usize]) {
            match self.instead(value) {
                // Values only ever give way to earlier ones.
                Some(Instead::Value(other)) if other < value => value = other,
                _ => return value,
            }
            debug_assert!(op.0 < self.goes.len() as u32);
        }
        value
    }

    fn write(&self, file: &str, draft: &mut Draft) {
        let spans = &self.item.lowered.spans;
        let gone: Vec<&Range<u32>> =
            spans.statements.iter().zip(&self.goes).filter(|(_, goes)| **goes).map(|(range, _)| range).collect();
        let is_gone = |range: &Range<u32>| gone.iter().any(|gone| gone.start <= range.start && range.end <= gone.end);
        let mut constants: Vec<Value> = Vec::new();
        for (range, value) in spans.uses.iter().filter(|(range, _)| !is_gone(range)) {
            let end = self.end_of(*value);
            let is_constant = self.goes_with(end);
            if is_constant && !constants.contains(&end) {
                constants.push(end);
            }
            let name = if is_constant { Some(self.constant_name(end)) } else { self.item.name_of(self.text, end) };
            if let Some(name) =
                name.filter(|name| self.text.get(range.start as usize..range.end as usize) != Some(name))
            {
                draft.replace(self.item.in_file(range), name);
            }
        }
        for (index, statement) in spans.statements.iter().enumerate().filter(|(index, _)| self.goes[*index]) {
            let body = &self.item.lowered.body;
            let own = body.results(&body.ops[index]).filter(|value| constants.contains(value));
            let lines: Vec<String> =
                own.filter_map(|value| constant(&self.constant_name(value), body.ty(value))).collect();
            let range = self.item.in_file(statement);
            if lines.is_empty() { draft.remove(file, range) } else { draft.replace(range, lines.join("\n")) }
        }
    }

    /// Whether the op goes that a value is a result of.
    fn goes_with(&self, value: Value) -> bool {
        self.item.lowered.body.defining_op(value).is_some_and(|op| self.goes[op.0 as usize])
    }

    /// The name of the constant that takes the place of a value.
    fn constant_name(&self, value: Value) -> String {
        let name = self.item.name_of(self.text, value).unwrap_or_else(|| "%unnamed".to_string());
        name.replace('#', "_")
    }
}

/// A statement that defines a constant of a type, if there is one. Ones divide without harm, and every float has a one.
pub(super) fn constant(name: &str, ty: Type) -> Option<String> {
    match ty.kind() {
        TypeKind::Token => Some(format!("{name} = {} : {ty}", Mnemonic::MakeToken.row().name)),
        TypeKind::Tile(tile) => {
            let Scalar::Number(element) = tile.element else { return None };
            let one = if element.is_int() { "1" } else { "1.0" };
            Some(format!("{name} = {} <{}: {one}> : {ty}", Mnemonic::Constant.row().name, element.name()))
        }
        _ => None,
    }
}
