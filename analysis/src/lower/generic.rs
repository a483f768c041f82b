//! Lowering an op in generic form.

use super::op::{Parts, Places};
use super::types::Signature;
use super::{Frame, Lowerer, attr};
use crate::diagnostics as d;
use crate::ir::{Attr, RegionId, Value};
use crate::types::Type;
use tile_dialect::{Arity, OpRow, ops};
use tile_syntax::{NO_SLOT, Node, NodeKind};

impl Lowerer<'_> {
    /// An op in generic form. Its attributes are read where they are written as custom form writes them.
    pub(super) fn generic_op(&mut self, node: Node, region: RegionId, mut parts: Parts) {
        let Some(row) = ops().get(self.tree.slot(node) as usize).filter(|_| self.tree.slot(node) != NO_SLOT) else {
            if !self.context.options.upstream_tests
                && let Some(name) = parts.name
            {
                let text = self.tree.text(name, self.text);
                self.report(d::foreign_op(self.range(name), text));
            }
            self.foreign_op(node, region, parts);
            return;
        };
        let (stated, results) = self.function_type(node);
        let whole = self.range(node);
        self.group_operands(row, &mut parts);
        let mut signature = Signature::new(row);
        let mut at = 0;
        for index in 0..row.operands.len() {
            for &(_, place, value) in parts.operands.iter().filter(|(slot, ..)| *slot as usize == index) {
                signature.push_operand(value, self.builder.body().ty(value), self.range(place));
                if let (Some(operand), Some(&ty)) = (signature.operands.last_mut(), stated.get(at)) {
                    operand.stated = Some(ty);
                }
                at += 1;
            }
            signature.end_group();
        }
        if let Some(list) = row.results.iter().position(|result| result.arity == Arity::Variadic) {
            signature.set_result_count(list, results.len());
        }
        for (result, ty) in signature.results.iter_mut().zip(&results) {
            *result = Some(*ty);
        }
        let attrs: Vec<Attr> = row.attrs.iter().map(attr::default).collect();
        let name = parts.name.map_or(0..0, |name| self.range(name));
        let places =
            Places { name: name.clone(), attrs: Vec::new(), types: Vec::new(), literal: None, mixed: Vec::new() };
        if stated.len() == parts.operands.len() && !self.has_syntax_error(&whole) {
            self.check_types(row, &signature, &places);
        }
        let regions: Vec<RegionId> =
            parts.regions.iter().take(row.regions.len()).map(|_| self.builder.add_region(&[])).collect();
        let groups: Vec<Vec<Value>> = (0..row.operands.len()).map(|index| signature.values(index)).collect();
        let groups: Vec<&[Value]> = groups.iter().map(Vec::as_slice).collect();
        let types: Vec<Type> = signature.results.iter().map(|ty| ty.unwrap_or(Type::unknown())).collect();
        let op = self.builder.push_op(region, row.op, &groups, attrs, &types, &regions);
        self.spans.op_names.push(name);
        self.spans.statements.push(whole);
        self.name_results(op, &parts);
        self.frames.push(Frame { op: row.op, results: types, carried: Vec::new(), has_loose_ends: true });
        for (index, &(_, node)) in parts.regions.iter().enumerate().take(regions.len()) {
            self.region(node, regions[index], row.regions.get(index));
        }
        self.frames.pop();
    }

    /// An op of another dialect: its results have the types that it states.
    fn foreign_op(&mut self, node: Node, region: RegionId, parts: Parts) {
        let (_, results) = self.function_type(node);
        let mut types = results.into_iter();
        for &(token, count) in &parts.results {
            let values: Vec<Value> =
                (0..count).map(|_| self.builder.add_value(types.next().unwrap_or(Type::unknown()))).collect();
            values.iter().for_each(|&value| self.place_value(value, self.token_range(token)));
            self.define(token, values[0], count);
        }
        self.frames.push(Frame {
            op: tile_dialect::Mnemonic::TestingFunc,
            results: Vec::new(),
            carried: Vec::new(),
            has_loose_ends: true,
        });
        for &(_, child) in &parts.regions {
            self.loose_region(child, region);
        }
        self.frames.pop();
    }

    /// Operand and result types of `(T, …) -> (T, …)`.
    fn function_type(&mut self, node: Node) -> (Vec<Type>, Vec<Type>) {
        let (mut operands, mut results) = (Vec::new(), Vec::new());
        if let Some(types) = self.tree.child(node, NodeKind::FunctionType) {
            for child in self.tree.children_of(types, NodeKind::Type) {
                let ty = self.ty(child);
                if self.tree.slot(child) == 0 { operands.push(ty) } else { results.push(ty) }
            }
        }
        (operands, results)
    }

    /// Gives every operand the slot of its group. With several groups of unknown length the property
    /// `operandSegmentSizes` says how long each is.
    fn group_operands(&self, row: &'static OpRow, parts: &mut Parts) {
        let fixed = row.operands.iter().filter(|operand| operand.arity == Arity::One).count();
        let open = row.operands.len() - fixed;
        let sizes = self.segment_sizes(parts.name);
        let mut slots = Vec::with_capacity(parts.operands.len());
        for (index, operand) in row.operands.iter().enumerate() {
            let count = match (&sizes, operand.arity) {
                (Some(sizes), _) => sizes.get(index).copied().unwrap_or(0),
                (None, Arity::One) => 1,
                (None, _) if open == 1 => parts.operands.len().saturating_sub(fixed),
                (None, _) => 0,
            };
            slots.extend(std::iter::repeat_n(index as u8, count));
        }
        let last = row.operands.len().saturating_sub(1) as u8;
        for (position, operand) in parts.operands.iter_mut().enumerate() {
            operand.0 = slots.get(position).copied().unwrap_or(last);
        }
    }

    fn segment_sizes(&self, name: Option<Node>) -> Option<Vec<usize>> {
        let op = self.tree.path_to(self.tree.tokens_of(name?).start);
        let op = *op.iter().rev().find(|&&node| self.tree.kind(node) == NodeKind::Op)?;
        let dicts = [NodeKind::Properties, NodeKind::Dict];
        let entries = dicts.iter().filter_map(|&kind| self.tree.child(op, kind));
        let mut entries = entries.flat_map(|dict| self.tree.children_of(dict, NodeKind::DictEntry));
        let sizes = entries.find(|&entry| self.tree.first_text(entry, self.text) == "operandSegmentSizes")?;
        let text = self.tree.text(sizes, self.text);
        let list = text.split_once("i32:")?.1.trim_end_matches(['>', ' ']);
        list.split(',').map(|size| size.trim().parse().ok()).collect()
    }
}
