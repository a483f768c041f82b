//! Removal of ops. Their results are replaced by an operand, a constant or another value of the same type.

use super::units::Units;
use crate::reduce::edits::EditSet;
use crate::reduce::program::{Item, ParsedProgram};
use std::ops::Range;
use tile_analysis::ir::{OpId, RegionId, Value};
use tile_analysis::types::{Scalar, Type, TypeKind};
use tile_dialect::Mnemonic;

/// The ops of all entries, last first. Prefers constants as replacements of results.
pub(super) fn by_constants(program: &ParsedProgram) -> Box<dyn Units + '_> {
    Box::new(Ops::new(program, false))
}

/// The ops of all entries, last first. Prefers other values as replacements of results.
pub(super) fn by_values(program: &ParsedProgram) -> Box<dyn Units + '_> {
    Box::new(Ops::new(program, true))
}

struct Ops<'s> {
    program: &'s ParsedProgram,
    prefers_values: bool,
    /// Each op: the index of its item, and its number in it.
    all: Vec<(usize, OpId)>,
}

impl<'s> Ops<'s> {
    fn new(program: &'s ParsedProgram, prefers_values: bool) -> Ops<'s> {
        let of_item = |(index, item): (usize, &'s Item)| {
            let ops = item.lowered.body.ops.iter().enumerate();
            let removable = ops.filter(|(_, op)| !op.op.row().is_terminator());
            removable.map(move |(op, _)| (index, OpId(op as u32)))
        };
        let mut all: Vec<_> = program.items.iter().enumerate().flat_map(of_item).collect();
        all.reverse();
        Ops { program, prefers_values, all }
    }
}

impl Units for Ops<'_> {
    fn len(&self) -> usize {
        self.all.len()
    }

    fn without(&self, units: Range<usize>) -> Option<String> {
        let chosen = self.all.get(units)?;
        let mut edits = EditSet::default();
        for (index, item) in self.program.items.iter().enumerate() {
            let ops: Vec<OpId> = chosen.iter().filter(|(own, _)| *own == index).map(|(_, op)| *op).collect();
            if !ops.is_empty() {
                Removal::new(self.program.text_of(item), item, &ops, self.prefers_values)
                    .write(&self.program.text, &mut edits);
            }
        }
        Some(edits.apply(&self.program.text))
    }
}

/// A replacement for a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Replacement {
    /// Another value, which may be replaced itself.
    Value(Value),
    /// A constant, defined in place of the op.
    Constant,
}

/// Ops of one entry that are removed.
struct Removal<'i> {
    text: &'i str,
    item: &'i Item,
    op_regions: Vec<RegionId>,
    /// Whether each op is removed.
    removed: Vec<bool>,
    prefers_values: bool,
}

impl<'i> Removal<'i> {
    fn new(text: &'i str, item: &'i Item, ops: &[OpId], prefers_values: bool) -> Removal<'i> {
        let op_regions = item.op_regions();
        let removed = vec![false; item.lowered.body.ops.len()];
        let mut removal = Removal { text, item, op_regions, removed, prefers_values };
        for &op in ops {
            let results = removal.item.lowered.body.results(removal.item.lowered.body.op(op));
            let statement = &item.lowered.spans.statements[op.0 as usize];
            let mut used = results.filter(|value| removal.is_used_outside(*value, statement));
            let is_removable = used.all(|value| removal.replacement(value).is_some());
            removal.removed[op.0 as usize] = is_removable;
        }
        removal
    }

    fn is_used_outside(&self, value: Value, statement: &Range<u32>) -> bool {
        self.uses_of(value).any(|range| range.end <= statement.start || statement.end <= range.start)
    }

    fn uses_of(&self, value: Value) -> impl Iterator<Item = &'i Range<u32>> {
        self.item.lowered.spans.uses.iter().filter(move |(_, used)| *used == value).map(|(range, _)| range)
    }

    /// The replacement for a result of an op.
    fn replacement(&self, value: Value) -> Option<Replacement> {
        let body = &self.item.lowered.body;
        let (op, ty) = (body.defining_op(value)?, body.ty(value));
        let operand = || body.operands(body.op(op)).iter().copied().find(|&operand| body.ty(operand) == ty);
        let is_plain = matches!(body.op(op).op, Mnemonic::Constant | Mnemonic::MakeToken);
        let constant = || (!is_plain && constant("", ty).is_some()).then_some(Replacement::Constant);
        let other = || self.visible(op, ty).map(Replacement::Value);
        let operand = operand().map(Replacement::Value);
        if self.prefers_values {
            operand.or_else(other).or_else(constant)
        } else {
            operand.or_else(constant).or_else(other)
        }
    }

    /// The last value of a type that is in scope at an op.
    fn visible(&self, op: OpId, ty: Type) -> Option<Value> {
        let body = &self.item.lowered.body;
        let around = self.regions_around(op);
        let arguments = around.iter().flat_map(|region| body.region(*region).args.iter().copied());
        let results = (0..op.0).rev().map(OpId).filter(|other| around.contains(&self.op_regions[other.0 as usize]));
        // The results of an op that encloses this one are not in scope yet.
        let own = self.item.lowered.spans.statements[op.0 as usize].start;
        let ended = results.filter(|other| self.item.lowered.spans.statements[other.0 as usize].end <= own);
        let results = ended.flat_map(|other| body.results(body.op(other)));
        let named = |value: &Value| self.item.name_of(self.text, *value).is_some();
        results.chain(arguments).find(|value| body.ty(*value) == ty && named(value))
    }

    fn regions_around(&self, op: OpId) -> Vec<RegionId> {
        let body = &self.item.lowered.body;
        let mut found = vec![self.op_regions[op.0 as usize]];
        while let Some(&inner) = found.last() {
            let Some(owner) = body.ops.iter().position(|op| op.regions.contains(&inner.0)) else { break };
            found.push(self.op_regions[owner]);
        }
        found
    }

    /// Follows the chain of replacements to its end. If the op of the final value is removed too, a constant replaces
    /// it.
    fn final_replacement(&self, mut value: Value) -> Value {
        while let Some(op) = self.item.lowered.body.defining_op(value).filter(|op| self.removed[op.0 as usize]) {
            match self.replacement(value) {
                // Values are only ever replaced by earlier ones.
                Some(Replacement::Value(other)) if other < value => value = other,
                _ => return value,
            }
            debug_assert!(op.0 < self.removed.len() as u32);
        }
        value
    }

    fn write(&self, file: &str, edits: &mut EditSet) {
        let spans = &self.item.lowered.spans;
        let removed: Vec<&Range<u32>> = spans
            .statements
            .iter()
            .zip(&self.removed)
            .filter(|(_, removed)| **removed)
            .map(|(range, _)| range)
            .collect();
        let is_removed =
            |range: &Range<u32>| removed.iter().any(|all| all.start <= range.start && range.end <= all.end);
        let mut constants: Vec<Value> = Vec::new();
        for (range, value) in spans.uses.iter().filter(|(range, _)| !is_removed(range)) {
            let end = self.final_replacement(*value);
            let is_constant = self.is_op_removed(end);
            if is_constant && !constants.contains(&end) {
                constants.push(end);
            }
            let name = if is_constant { Some(self.constant_name(end)) } else { self.item.name_of(self.text, end) };
            if let Some(name) =
                name.filter(|name| self.text.get(range.start as usize..range.end as usize) != Some(name))
            {
                edits.replace(self.item.in_file(range), name);
            }
        }
        for (index, statement) in spans.statements.iter().enumerate().filter(|(index, _)| self.removed[*index]) {
            let body = &self.item.lowered.body;
            let own = body.results(&body.ops[index]).filter(|value| constants.contains(value));
            let lines: Vec<String> =
                own.filter_map(|value| constant(&self.constant_name(value), body.ty(value))).collect();
            let range = self.item.in_file(statement);
            if lines.is_empty() { edits.remove(file, range) } else { edits.replace(range, lines.join("\n")) }
        }
    }

    /// Whether the op that defines a value is removed.
    fn is_op_removed(&self, value: Value) -> bool {
        self.item.lowered.body.defining_op(value).is_some_and(|op| self.removed[op.0 as usize])
    }

    /// The name of the constant that replaces a value.
    fn constant_name(&self, value: Value) -> String {
        let name = self.item.name_of(self.text, value).unwrap_or_else(|| "%unnamed".to_string());
        name.replace('#', "_")
    }
}

/// Returns a statement that defines a constant of a type, if there is one. The constant is 1, because every float type
/// has it and divisions by it are defined.
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
