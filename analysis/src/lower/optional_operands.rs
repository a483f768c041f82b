//! Adjacent optional operands, such as the mask and the padding value of a load.
//!
//! The text does not name operands, so by the grammar `load_ptr_tko weak %p, %x` has a mask. But a load can have a
//! padding value without a mask, and `tileirdisasm` prints it exactly like that. The types distinguish the two.

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
    /// Reassigns an optional operand to the next slot if its type fits only that one and is also the type of a result.
    /// Upstream's own parser does not.
    pub(super) fn skip_omitted_operands(&mut self, row: &'static OpRow, form: &Form, parts: &mut OpSyntax) {
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
                self.report_omitted_operand(row, pair.map(|operand| operand.name), parts, (second, meant));
            }
        }
    }

    /// Reports a keyword or comma whose operand is missing.
    pub(super) fn hint_absent(&mut self, row: &OpRow, parts: &OpSyntax) {
        let Some(absent) = parts.absent else { return };
        let after = self.tree.tokens_of(absent).start;
        let (last, is_comma) = (after - 1, self.tree.tokens.kind(after - 1) == Token::Comma);
        let first = if is_comma { last } else { last - 1 };
        let place = self.token_range(first).start..self.token_range(last).end;
        let operand = row.operands[self.tree.slot(absent) as usize].name;
        let what = if is_comma { "comma" } else { "keyword" };
        self.report(d::absent_operand(place, what, row.name, operand));
    }

    fn report_omitted_operand(
        &mut self,
        row: &'static OpRow,
        names: [&'static str; 2],
        parts: &OpSyntax,
        slots: (u8, u8),
    ) {
        let operand = parts.operands.iter().find(|(slot, ..)| *slot == slots.0);
        let ty = parts.types.iter().find(|(slot, ..)| *slot == slots.1);
        let (Some(&(_, operand, _)), Some(&(_, _, ty))) = (operand, ty) else { return };
        let value = self.tree.text(operand, self.text);
        let cuts = self.with_comma(operand).zip(self.with_comma(ty)).map_or(Vec::new(), |(a, b)| vec![a, b]);
        let found = d::padding_without_mask(self.range(operand), value, row.name, names, cuts);
        self.report(found);
    }

    /// The range of a part including the comma before it. `None` if there is a comment between them.
    fn with_comma(&self, node: Node) -> Option<Range<u32>> {
        let comma = self.tree.tokens_of(node).start.checked_sub(1)?;
        let range = self.token_range(comma).start..self.range(node).end;
        let between = self.text.get(self.token_range(comma).end as usize..self.range(node).start as usize)?;
        (self.tree.tokens.kind(comma) == Token::Comma && between.trim().is_empty()).then_some(range)
    }
}

/// Whether an op omits an optional operand but has the next one, so that its custom form would be parsed as another op.
pub(crate) fn omits_operand(body: &Body, op: &Op) -> bool {
    let row = op.op.row();
    let form = Named { row, spelling: None }.form();
    (1..row.operands.len()).any(|index| {
        let pair = [index - 1, index];
        pair.iter().all(|&it| row.operands[it].arity == Arity::Optional && type_of(form, it as u8).is_some())
            && body.group(op, pair[0]).is_empty()
            && !body.group(op, pair[1]).is_empty()
    })
}

/// The index of the piece of a form that contains only the type of an operand.
fn type_of(form: &Form, operand: u8) -> Option<u8> {
    form.types.iter().position(|piece| *piece.slots == [Slot::Operand(operand)]).map(|index| index as u8)
}

/// Whether a result has this type.
fn is_result(form: &Form, parts: &OpSyntax, ty: Type) -> bool {
    let of_result = |number: u8| form.types[number as usize].slots.iter().any(|slot| matches!(slot, Slot::Result(_)));
    parts.types.iter().any(|&(number, other, _)| of_result(number) && other == ty)
}
