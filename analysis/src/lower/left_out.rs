//! Optional operands that stand one behind the other, such as a mask and what is loaded where it is false.
//!
//! The text names no operands: `load_ptr_tko weak %p, %x` has a mask by the grammar. But a load may have padding and no
//! mask, and `tileirdisasm` prints that just so. The types tell the two apart.

use super::Lowerer;
use super::parts::Parts;
use crate::diagnostics as d;
use crate::types::Type;
use tile_dialect::form::{Form, Slot};
use tile_dialect::{Arity, OpRow};
use tile_syntax::Token;

impl Lowerer<'_> {
    /// Takes an optional operand for the next one where its type belongs to that, and is a result's too. Upstream's own
    /// reader does not.
    pub(super) fn skip_left_out(&mut self, row: &'static OpRow, form: &Form, parts: &mut Parts) {
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
                self.hint_left_out(row, pair.map(|operand| operand.name), parts, second);
            }
        }
    }

    /// Tells of a keyword, or of a comma, whose operand is not there.
    pub(super) fn hint_absent(&mut self, row: &OpRow, parts: &Parts) {
        let Some(absent) = parts.absent else { return };
        let behind = self.tree.tokens_of(absent).start;
        let (last, is_comma) = (behind - 1, self.tree.tokens.kind(behind - 1) == Token::Comma);
        let first = if is_comma { last } else { last - 1 };
        let place = self.token_range(first).start..self.token_range(last).end;
        let operand = row.operands[self.tree.slot(absent) as usize].name;
        let what = if is_comma { "comma" } else { "keyword" };
        self.report(d::absent_operand(place, what, row.name, operand));
    }

    fn hint_left_out(&mut self, row: &'static OpRow, names: [&'static str; 2], parts: &Parts, second: u8) {
        if let Some(&(_, node, _)) = parts.operands.iter().find(|(slot, ..)| *slot == second) {
            let found = d::left_out(self.range(node), row.name, names[0], names[1]);
            self.report(found);
        }
    }
}

/// The piece of a form in which the type of an operand is written alone.
fn type_of(form: &Form, operand: u8) -> Option<u8> {
    form.types.iter().position(|piece| *piece.slots == [Slot::Operand(operand)]).map(|index| index as u8)
}

/// Whether a result has this type.
fn is_result(form: &Form, parts: &Parts, ty: Type) -> bool {
    let of_result = |number: u8| form.types[number as usize].slots.iter().any(|slot| matches!(slot, Slot::Result(_)));
    parts.types.iter().any(|&(number, other, _)| of_result(number) && other == ty)
}
