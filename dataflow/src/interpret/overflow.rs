//! The integers from which an access is computed, and which could overflow.

use super::{Interpreter, Symbolic};
use crate::access::{Integer, is_stored_tile};
use crate::loops::initial_values;
use tile_analysis::ir::{Def, Op, OpId, RegionId, Value};
use tile_dialect::Mnemonic as M;

impl Interpreter<'_> {
    /// The integers that decide which elements an op accesses, if it does, and how often it runs.
    pub(super) fn integers_of(&self, access: Option<OpId>) -> Vec<Integer> {
        let mut search = Search { interpreter: self, seen: vec![false; self.body.values.len()], found: Vec::new() };
        if let Some(op) = access.map(|access| self.body.op(access)) {
            for group in (0..op.op.row().operands.len()).filter(|&group| !is_stored_tile(op, group)) {
                self.body.group(op, group).iter().for_each(|&operand| search.visit(operand));
            }
        }
        // Loops and branches contain the access, or end before it.
        for op in self.body.ops.iter().filter(|op| matches!(op.op, M::For | M::If)) {
            let operands = if op.op == M::For { 0..3 } else { 0..1 };
            operands.filter_map(|operand| self.body.operand(op, operand)).for_each(|operand| search.visit(operand));
        }
        search.found
    }
}

/// A search for the values that a value is computed from.
struct Search<'a> {
    interpreter: &'a Interpreter<'a>,
    seen: Vec<bool>,
    found: Vec<Integer>,
}

impl Search<'_> {
    fn visit(&mut self, value: Value) {
        if std::mem::replace(&mut self.seen[value.0 as usize], true) {
            return;
        }
        let body = self.interpreter.body;
        match body.def(value) {
            Some(Def::Result(id, _)) => self.result(value, body.op(id)),
            Some(Def::Argument(RegionId(0), _)) | None => {}
            Some(Def::Argument(region, _)) => {
                let owner = body.ops.iter().find(|op| op.regions.contains(&region.0));
                owner.into_iter().for_each(|owner| self.nested(owner));
            }
        }
    }

    fn result(&mut self, value: Value, op: &Op) {
        let body = self.interpreter.body;
        let can_overflow = matches!(op.op, M::Addi | M::Subi | M::Muli | M::Negi | M::Absi | M::Shli | M::Trunci);
        let element = body.ty(value).as_tile().and_then(|tile| tile.number());
        // A truth value is computed without overflow.
        if let (true, Some(element), Symbolic::Integer(poly)) = (can_overflow, element, self.interpreter.get(value))
            && element.bits() > 1
            && poly.unknown().is_none()
        {
            self.found.push(Integer { value, poly, bits: element.bits() });
        }
        match op.op {
            M::For | M::Loop | M::If => self.nested(op),
            // What a loaded value is computed from does not matter.
            M::LoadPtrTko | M::LoadViewTko => {}
            _ => body.operands(op).iter().for_each(|&operand| self.visit(operand)),
        }
    }

    /// Visits what a loop or branch passes on.
    fn nested(&mut self, op: &Op) {
        let body = self.interpreter.body;
        initial_values(body, op).iter().for_each(|&initial| self.visit(initial));
        for region in body.regions_of(op) {
            self.terminators(region);
        }
    }

    fn terminators(&mut self, region: RegionId) {
        let body = self.interpreter.body;
        for op in body.region(region).ops.iter().map(|&id| body.op(id)) {
            match op.op {
                M::Yield | M::Continue | M::Break => body.operands(op).iter().for_each(|&value| self.visit(value)),
                M::If => body.regions_of(op).for_each(|side| self.terminators(side)),
                _ => {}
            }
        }
    }
}
