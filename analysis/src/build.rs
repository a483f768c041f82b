//! Building a [`Body`] op by op.
//!
//! Push an op before the ops of its regions: create its regions, push it, then fill them.

use crate::ir::{Attr, Body, Hints, NamedAttrs, Op, OpId, Region, RegionId, Value};
use crate::types::Type;
use std::ops::Range;
use tile_dialect::Mnemonic;

/// A body under construction.
#[derive(Clone, Debug)]
pub struct BodyBuilder {
    body: Body,
    /// Indices of regions that were removed.
    removed: Vec<u32>,
}

impl BodyBuilder {
    /// The region of the entry's body.
    pub const ENTRY: RegionId = RegionId(0);

    /// Starts an entry without parameters or ops.
    pub fn new(name: impl Into<Box<str>>) -> BodyBuilder {
        let body = Body { name: name.into(), regions: vec![Region::default()], ..Body::default() };
        BodyBuilder { body, removed: Vec::new() }
    }

    /// Reserves space for this many ops and operands.
    pub fn reserve(&mut self, ops: usize, operands: usize) {
        self.body.values.reserve(ops);
        self.body.ops.reserve(ops);
        self.body.operands.reserve(operands);
        self.body.group_ends.reserve(2 * ops);
        self.body.attrs.reserve(ops);
    }

    /// Adds a parameter; `name` excludes the `%`.
    pub fn add_param(&mut self, name: impl Into<Box<str>>, ty: Type) -> Value {
        self.body.params.push(name.into());
        self.add_arg(Self::ENTRY, ty)
    }

    /// Adds a region with block arguments of these types. The regions of one op must be added one right after another.
    pub fn add_region(&mut self, args: &[Type]) -> RegionId {
        let region = RegionId(self.body.regions.len() as u32);
        self.body.regions.push(Region::default());
        for &ty in args {
            self.add_arg(region, ty);
        }
        region
    }

    /// Adds a block argument to a region.
    pub fn add_arg(&mut self, region: RegionId, ty: Type) -> Value {
        let value = self.add_value(ty);
        self.body.regions[region.0 as usize].args.push(value);
        value
    }

    /// Adds an op to the end of a region.
    ///
    /// `groups` has one list of operands per operand row of the op and `attrs` one attribute per attribute row.
    /// `regions` must be consecutive.
    pub fn push_op(
        &mut self,
        region: RegionId,
        op: Mnemonic,
        groups: &[&[Value]],
        attrs: impl IntoIterator<Item = Attr>,
        results: &[Type],
        regions: &[RegionId],
    ) -> OpId {
        let id = OpId(self.body.ops.len() as u32);
        let operands = self.add_operands(groups);
        let group_ends = self.body.group_ends.len() as u32 - groups.len() as u32;
        let first_attr = self.body.attrs.len() as u32;
        self.body.attrs.extend(attrs);
        let results = self.add_values(results);
        let regions = consecutive(regions);
        self.body.ops.push(Op { op, results, regions, operands, group_ends, attrs: first_attr });
        self.body.regions[region.0 as usize].ops.push(id);
        id
    }

    /// Removes the last region of an op, which must be empty: an optional region that turned out to be absent.
    pub fn remove_last_region(&mut self, op: OpId) {
        let regions = &mut self.body.ops[op.0 as usize].regions;
        if regions.start < regions.end {
            regions.end -= 1;
            self.removed.push(regions.end);
        }
    }

    /// Replaces the type of a value whose type was not known when it was added.
    pub fn set_type(&mut self, value: Value, ty: Type) {
        self.body.values[value.0 as usize] = ty;
    }

    /// Sets the name of the entry.
    pub fn set_name(&mut self, name: &str) {
        self.body.name = name.into();
    }

    /// Adds the names of parameters whose values are already arguments of the entry's region.
    pub fn name_params(&mut self, names: impl IntoIterator<Item = Box<str>>) {
        self.body.params.extend(names);
    }

    /// Sets the attributes of each parameter. If no parameter has any, the list is left empty.
    pub fn set_param_attrs(&mut self, attrs: Vec<NamedAttrs>) {
        self.body.param_attrs = if attrs.iter().all(|attrs| attrs.is_empty()) { Vec::new() } else { attrs };
    }

    /// The entry's name.
    pub fn name(&self) -> &str {
        &self.body.name
    }

    /// Makes the entry private.
    pub fn set_private(&mut self) {
        self.body.private = true;
    }

    /// Sets the optimization hints of the entry.
    pub fn set_hints(&mut self, hints: Hints) {
        self.body.hints = Some(Box::new(hints));
    }

    /// The body so far.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// The first result of an op.
    pub fn result(&self, op: OpId) -> Value {
        Value(self.body.op(op).results.start)
    }

    /// Returns the finished body.
    pub fn finish(mut self) -> Body {
        self.close_gaps();
        self.body
    }

    /// Renumbers regions to close the gaps left by removed ones.
    fn close_gaps(&mut self) {
        if self.removed.is_empty() {
            return;
        }
        self.removed.sort_unstable();
        let removed = std::mem::take(&mut self.removed);
        for op in &mut self.body.ops {
            let before = removed.partition_point(|&region| region < op.regions.start) as u32;
            let empty = op.regions.start == op.regions.end;
            op.regions = if empty { 0..0 } else { op.regions.start - before..op.regions.end - before };
        }
        let mut number = 0;
        self.body.regions.retain(|_| {
            number += 1;
            removed.binary_search(&(number - 1)).is_err()
        });
    }

    /// Adds a value that no op or region defines, such as one whose definition could not be read.
    pub fn add_value(&mut self, ty: Type) -> Value {
        self.body.values.push(ty);
        Value(self.body.values.len() as u32 - 1)
    }

    fn add_values(&mut self, types: &[Type]) -> Range<u32> {
        let start = self.body.values.len() as u32;
        self.body.values.extend_from_slice(types);
        start..self.body.values.len() as u32
    }

    /// Adds operands and the ends of their groups, relative to the op's first operand.
    fn add_operands(&mut self, groups: &[&[Value]]) -> Range<u32> {
        let start = self.body.operands.len() as u32;
        for group in groups {
            self.body.operands.extend_from_slice(group);
            self.body.group_ends.push(self.body.operands.len() as u32 - start);
        }
        start..self.body.operands.len() as u32
    }
}

fn consecutive(regions: &[RegionId]) -> Range<u32> {
    debug_assert!(regions.windows(2).all(|pair| pair[1].0 == pair[0].0 + 1), "an op's regions are consecutive");
    match regions {
        [] => 0..0,
        [first, ..] => first.0..first.0 + regions.len() as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tile_dialect::Element;

    #[test]
    fn a_body_contains_the_added_ops() {
        let scalar = Type::tile(&[], Element::I1);
        let mut builder = BodyBuilder::new("f");
        let a = builder.add_param("a", scalar);
        let b = builder.add_param("b", scalar);
        let then = builder.add_region(&[]);
        let other = builder.add_region(&[]);
        let branch = builder.push_op(BodyBuilder::ENTRY, Mnemonic::If, &[&[a]], [], &[scalar, scalar], &[then, other]);
        let inner = builder.push_op(then, Mnemonic::Yield, &[&[b, a]], [], &[], &[]);
        builder.push_op(other, Mnemonic::Yield, &[&[a, b]], [], &[], &[]);
        let body = builder.finish();
        assert_eq!(body.params, ["a".into(), "b".into()]);
        assert_eq!(body.region(RegionId(0)).args, [a, b]);
        let op = body.op(branch);
        assert_eq!(body.regions_of(op).collect::<Vec<_>>(), [then, other]);
        assert_eq!(body.results(op).len(), 2);
        assert_eq!(body.operand(op, 0), Some(a));
        assert_eq!(body.group(body.op(inner), 0), [b, a]);
        assert_eq!(body.region(then).ops, [inner]);
    }

    #[test]
    fn a_removed_region_leaves_no_gap() {
        let scalar = Type::tile(&[], Element::I1);
        let build = |absent: bool| {
            let mut builder = BodyBuilder::new("f");
            let a = builder.add_param("a", scalar);
            let branch = |builder: &mut BodyBuilder, around| {
                let then = builder.add_region(&[]);
                let regions = if absent { vec![then, builder.add_region(&[])] } else { vec![then] };
                let op = builder.push_op(around, Mnemonic::If, &[&[a]], [], &[], &regions);
                if absent {
                    builder.remove_last_region(op);
                }
                then
            };
            let outer = branch(&mut builder, BodyBuilder::ENTRY);
            let inner = branch(&mut builder, outer);
            builder.push_op(inner, Mnemonic::Yield, &[&[]], [], &[], &[]);
            branch(&mut builder, outer);
            builder.finish()
        };
        assert_eq!(build(true), build(false));
    }

    #[test]
    fn optional_operands_and_attributes_keep_their_positions() {
        let token = Type::token();
        let mut builder = BodyBuilder::new("f");
        let t = builder.add_param("t", token);
        let attrs = [Attr::Str((*b"x").into())];
        let op = builder.push_op(BodyBuilder::ENTRY, Mnemonic::PrintTko, &[&[], &[t]], attrs, &[token], &[]);
        let body = builder.finish();
        let op = body.op(op);
        assert_eq!((body.operand(op, 0), body.operand(op, 1)), (None, Some(t)));
        assert_eq!(body.attr(op, 0), &Attr::Str((*b"x").into()));
    }
}
