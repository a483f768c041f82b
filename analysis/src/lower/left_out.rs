//! Consecutive optional operands, such as a mask and a padding value.
//!
//! Operands are positional: `load_ptr_tko weak %p, %x` has a mask according to the grammar. But a load can have padding
//! and no mask, and `tileirdisasm` prints it in the same way. The types tell the two apart.

use super::Lowerer;
use super::op_syntax::OpSyntax;
use crate::diagnostics as d;
use crate::ir::{Body, Op};
use crate::types::Type;
use std::ops::Range;
use tile_dialect::form::{Form, Slot};
use tile_dialect::{Arity, Named, OpRow};
use tile_syntax::{Node, Token};

impl Lowerer<'_> {
    /// Takes an optional operand for the next one where its type belongs to that, and is a result's too. Upstream's own
    /// reader does not.
    pub(super) fn skip_left_out(&mut self, row: &'static OpRow, form: &Form, parts: &mut OpSyntax) {
        if self.context.options.upstream_tests {
            return;
        }
        for index in 1..row.operands.len() {
            let pair = [&row.operands[index - 1], &row.operands[index]];
            if pair.iter().any(|operand| operand.arity != Arity::Optional) {
                continue;
            }
            let (first, second) = (index as u8 - 1, index as u8);
            let has = |operand: u8| parts.operands.iter().any(|(slot, ..)| *slot == operand);
            let (Some(written), Some(meant)) = (type_of(form, first), type_of(form, second)) else { continue };
            let Some(&(_, ty, _)) = parts.types.iter().find(|(number, ..)| *number == written) else { continue };
            if !has(first) || has(second) || ty.is_a(pair[0].class) || !ty.is_a(pair[1].class) {
                continue;
            }
            if is_result(form, parts, ty) {
                parts.operands.iter_mut().filter(|(slot, ..)| *slot == first).for_each(|(slot, ..)| *slot = second);
                parts.types.iter_mut().filter(|(slot, ..)| *slot == written).for_each(|(slot, ..)| *slot = meant);
                self.report_left_out(row, pair.map(|operand| operand.name), parts, (second, meant));
            }
        }
    }

    /// Tells of a keyword, or of a comma, whose operand is not there.
    pub(super) fn hint_absent(&mut self, row: &OpRow, parts: &OpSyntax) {
        let Some(absent) = parts.absent else { return };
        let behind = self.tree.tokens_of(absent).start;
        let (last, is_comma) = (behind - 1, self.tree.tokens.kind(behind - 1) == Token::Comma);
        let first = if is_comma { last } else { last - 1 };
        let place = self.token_range(first).start..self.token_range(last).end;
        let operand = row.operands[self.tree.slot(absent) as usize].name;
        let what = if is_comma { "comma" } else { "keyword" };
        self.report(d::absent_operand(place, what, row.name, operand));
    }

    fn report_left_out(&mut self, row: &'static OpRow, names: [&'static str; 2], parts: &OpSyntax, slots: (u8, u8)) {
        let operand = parts.operands.iter().find(|(slot, ..)| *slot == slots.0);
        let ty = parts.types.iter().find(|(slot, ..)| *slot == slots.1);
        let (Some(&(_, operand, _)), Some(&(_, _, ty))) = (operand, ty) else { return };
        let value = self.tree.text(operand, self.text);
        let cuts = self.with_comma(operand).zip(self.with_comma(ty)).map_or(Vec::new(), |(a, b)| vec![a, b]);
        let found = d::left_out(self.range(operand), value, row.name, names, cuts);
        self.report(found);
    }

    /// A part with the comma in front of it. `None` where a comment lies between them.
    fn with_comma(&self, node: Node) -> Option<Range<u32>> {
        let comma = self.tree.tokens_of(node).start.checked_sub(1)?;
        let range = self.token_range(comma).start..self.range(node).end;
        let between = self.text.get(self.token_range(comma).end as usize..self.range(node).start as usize)?;
        (self.tree.tokens.kind(comma) == Token::Comma && between.trim().is_empty()).then_some(range)
    }
}

/// Whether an op leaves out an optional operand and has the next one, so that custom form reads back as another op.
pub(crate) fn leaves_out_operand(body: &Body, op: &Op) -> bool {
    let row = op.op.row();
    let form = Named { row, spelling: None }.form();
    (1..row.operands.len()).any(|index| {
        let pair = [index - 1, index];
        pair.iter().all(|&it| row.operands[it].arity == Arity::Optional && type_of(form, it as u8).is_some())
            && body.group(op, pair[0]).is_empty()
            && !body.group(op, pair[1]).is_empty()
    })
}

/// The piece of a form in which the type of an operand is written alone.
fn type_of(form: &Form, operand: u8) -> Option<u8> {
    form.types.iter().position(|piece| *piece.slots == [Slot::Operand(operand)]).map(|index| index as u8)
}

/// Whether a result has this type.
fn is_result(form: &Form, parts: &OpSyntax, ty: Type) -> bool {
    let of_result = |number: u8| form.types[number as usize].slots.iter().any(|slot| matches!(slot, Slot::Result(_)));
    parts.types.iter().any(|&(number, other, _)| of_result(number) && other == ty)
}
