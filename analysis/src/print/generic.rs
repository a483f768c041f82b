//! Generic form: the op's name in quotes, its operands, all attributes, its regions and all types.

use super::attr;
use super::prefixed::Prefixed;
use super::printer::{Printer, Subject};
use crate::ir::{Attr, RegionId};
use tile_dialect::{Arity, DIALECT_PREFIX};

impl Printer<'_> {
    pub(super) fn generic(&mut self, subject: &Subject) {
        let Some(op) = subject.op else { return };
        let (body, names) = (self.body, &self.names);
        self.out.push(&format!("\"{DIALECT_PREFIX}{}\"(", subject.row.name));
        self.out.list(body.operands(op), |out, &value| names.push_use(out, value));
        self.out.push(")");
        self.properties(subject);
        self.generic_regions(subject);
        self.out.push(" : (");
        self.out.list(body.operands(op), |out, &value| out.push(&Prefixed(body.ty(value)).to_string()));
        self.out.push(") -> ");
        let one = op.results.len() == 1;
        self.out.push(if one { "" } else { "(" });
        self.out.list(body.results(op), |out, value| out.push(&Prefixed(body.ty(value)).to_string()));
        self.out.push(if one { "" } else { ")" });
    }

    /// Writes `<{a = 1 : i32, b}>`.
    fn properties(&mut self, subject: &Subject) {
        let Some(op) = subject.op else { return };
        let rows = subject.row.attrs.iter().zip(subject.attrs);
        let present: Vec<_> = rows.filter(|(_, value)| **value != Attr::Absent).collect();
        let open = subject.row.operands.iter().filter(|operand| operand.arity != Arity::One).count();
        if present.is_empty() && open < 2 {
            return;
        }
        self.out.push(" <{");
        self.out.list(&present, |out, (row, value)| attr::generic(out, row, value, subject.constant));
        if open >= 2 {
            if !present.is_empty() {
                self.out.push(", ");
            }
            let sizes: Vec<usize> =
                (0..subject.row.operands.len()).map(|index| self.body.group(op, index).len()).collect();
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
