//! Replacement of one op by another.

use super::{Attr, Body, OpId, Value};
use tile_dialect::Mnemonic;

impl Body {
    /// Replaces an op without regions by another one with the same results.
    ///
    /// `groups` has one list of operands per operand row of the new op and `attrs` one attribute per attribute row.
    pub fn replace_op(&mut self, id: OpId, op: Mnemonic, groups: &[&[Value]], attrs: impl IntoIterator<Item = Attr>) {
        let start = self.operands.len() as u32;
        let group_ends = self.group_ends.len() as u32;
        for group in groups {
            self.operands.extend_from_slice(group);
            self.group_ends.push(self.operands.len() as u32 - start);
        }
        let first_attr = self.attrs.len() as u32;
        self.attrs.extend(attrs);
        let end = self.operands.len() as u32;
        let replaced = &mut self.ops[id.0 as usize];
        (replaced.op, replaced.operands) = (op, start..end);
        (replaced.group_ends, replaced.attrs) = (group_ends, first_attr);
    }
}
