//! Generic form: the op's name in quotes, its operands, all attributes, its regions and all types.

use super::attr;
use super::custom::result_group;
use super::prefixed::Prefixed;
use super::printer::{Printer, Subject};
use crate::ir::{Attr, Op, RegionId, Value};
use crate::types::Type;
use tile_dialect::{Arity, AttrRow, DIALECT_PREFIX, Named};

impl Printer<'_> {
    pub(super) fn generic(&mut self, subject: &Subject, named: Named) {
        let Some(op) = subject.op else { return };
        let (body, names) = (self.body, &self.names);
        self.out.push(&format!("\"{DIALECT_PREFIX}{}\"(", named.name()));
        self.out.list(body.operands(op), |out, &value| names.push_use(out, value));
        self.out.push(")");
        self.properties(subject);
        self.generic_regions(subject);
        self.out.push(" : (");
        self.out.list(body.operands(op), |out, &value| out.push(&Prefixed(body.ty(value)).to_string()));
        self.out.push(") -> ");
        let results = self.shown_results(subject, op);
        let one = results.len() == 1;
        self.out.push(if one { "" } else { "(" });
        self.out.list(results, |out, ty| out.push(&Prefixed(ty).to_string()));
        self.out.push(if one { "" } else { ")" });
    }

    /// The types of the results that exist in the target version.
    fn shown_results(&self, subject: &Subject, op: &Op) -> Vec<Type> {
        let shown = (0..subject.row.results.len()).filter(|&index| !self.is_hidden(subject.row, op, index));
        shown.flat_map(|index| result_group(subject, index)).map(|value| self.body.ty(Value(value))).collect()
    }

    /// Whether an attribute must be written: it has a value, and not one that versions without the attribute imply.
    fn is_stated(&self, row: &AttrRow, value: &Attr) -> bool {
        let is_implied = row.since > self.options.version && *value == Attr::default_of(row);
        *value != Attr::Absent && !is_implied
    }

    /// The sizes of the operand groups, if the operands need them to be divided. Groups that the target version does
    /// not have are left out if they are empty.
    fn segment_sizes(&self, subject: &Subject, op: &Op) -> Option<Vec<usize>> {
        let groups =
            subject.row.operands.iter().enumerate().map(|(index, row)| (row, self.body.group(op, index).len()));
        let groups: Vec<_> = groups.filter(|&(row, size)| row.since <= self.options.version || size > 0).collect();
        let open = groups.iter().filter(|(row, _)| row.arity != Arity::One).count();
        (open >= 2).then(|| groups.into_iter().map(|(_, size)| size).collect())
    }

    /// Writes `<{a = 1 : i32, b}>`.
    fn properties(&mut self, subject: &Subject) {
        let Some(op) = subject.op else { return };
        let rows = subject.row.attrs.iter().zip(subject.attrs);
        let present: Vec<_> = rows.filter(|(row, value)| self.is_stated(row, value)).collect();
        let sizes = self.segment_sizes(subject, op);
        if present.is_empty() && sizes.is_none() {
            return;
        }
        self.out.push(" <{");
        self.out.list(&present, |out, (row, value)| attr::generic(out, row, value, subject.constant));
        if let Some(sizes) = sizes {
            if !present.is_empty() {
                self.out.push(", ");
            }
            attr::segment_sizes(&mut self.out, &sizes);
        }
        self.out.push("}>");
    }

    /// Writes `({ … }, { … })`; an absent region is written as an empty one.
    fn generic_regions(&mut self, subject: &Subject) {
        let rows = subject.row.regions;
        if rows.is_empty() {
            return;
        }
        self.out.push(" (");
        for index in 0..rows.len() {
            if index > 0 {
                self.out.push(", ");
            }
            let id = subject.regions.start + index as u32;
            if !subject.regions.contains(&id) {
                self.out.push("{\n");
                self.out.indent();
                self.out.push("}");
                continue;
            }
            let args = &self.body.region(RegionId(id)).args;
            self.generic_region(RegionId(id), args.is_empty());
        }
        self.out.push(")");
    }

    fn generic_region(&mut self, id: RegionId, bare: bool) {
        let body = self.body;
        self.out.push("{\n");
        if !bare {
            self.out.indent();
            self.out.push("^bb0");
            self.block_args(&body.region(id).args, |ty| Prefixed(ty).to_string());
            self.out.push(":\n");
        }
        self.out.deeper();
        self.ops(&body.region(id).ops);
        self.out.shallower();
        self.out.indent();
        self.out.push("}");
    }
}
