//! A fix for two swapped operands, such as the tile before the view.

use crate::diagnostic::{Applicability, Edit, Fix};
use crate::lower::Lowerer;
use crate::lower::infer::Signature;
use crate::lower::op::Draft;
use crate::lower::op_syntax::OpSyntax;
use crate::lower::problem::Kind;
use std::ops::Range;
use tile_dialect::OpRow;
use tile_dialect::form::{Form, Slot};

/// The indices of two swapped operands.
type Swapped = (usize, usize);

impl Lowerer<'_> {
    /// Offers to swap two operands, and their types, if each fits only in the position of the other.
    pub(super) fn offer_swap(&mut self, draft: &Draft<'_>) {
        let Draft { named, syntax, .. } = draft;
        let row = named.row;
        let Some((first, second)) = swapped(row, &draft.signature) else { return };
        let Some(mut edits) = self.swap_operands(syntax, (first, second)) else { return };
        edits.extend(self.swap_types(named.form(), syntax, (first, second)).unwrap_or_default());
        let (first, second) = (row.operands[first].name, row.operands[second].name);
        for problem in self.problems.since(draft.problems) {
            if let Kind::WrongClass(found) = &mut problem.kind {
                found.swapped = Some((first, second));
                let title = format!("swap `{first}` and `{second}`");
                problem.fixes = vec![Fix::new(title, Applicability::Unsafe, edits.clone())];
            }
        }
    }

    fn swap_operands(&self, parts: &OpSyntax, (first, second): Swapped) -> Option<Vec<Edit>> {
        let place = |index: usize| {
            let mut nodes = parts.operands.iter().filter(|(slot, ..)| *slot as usize == index);
            let (_, node, _) = nodes.next()?;
            nodes.next().is_none().then(|| self.range(*node))
        };
        Some(self.swap(place(first)?, place(second)?))
    }

    fn swap_types(&self, form: &'static Form, parts: &OpSyntax, (first, second): Swapped) -> Option<Vec<Edit>> {
        let place = |index: usize| {
            let mut types = parts.types.iter();
            let of_operand =
                |slot: u8| form.types.get(slot as usize).is_some_and(|ty| ty.slots[..] == [Slot::Operand(index as u8)]);
            types.find(|(slot, ..)| of_operand(*slot)).map(|(_, _, node)| self.range(*node))
        };
        Some(self.swap(place(first)?, place(second)?))
    }

    fn swap(&self, first: Range<u32>, second: Range<u32>) -> Vec<Edit> {
        let text = |range: &Range<u32>| self.text[range.start as usize..range.end as usize].to_string();
        let (one, other) = (text(&first), text(&second));
        vec![Edit { range: first, content: other }, Edit { range: second, content: one }]
    }
}

/// Two single operands that fit only in each other's position.
fn swapped(row: &'static OpRow, signature: &Signature) -> Option<Swapped> {
    let ty = |index: usize| {
        let group = &signature.operands[signature.operand_group(index)];
        let [operand] = group else { return None };
        let agrees = operand.stated.is_none_or(|stated| stated == operand.actual);
        (agrees && !operand.actual.is_unknown()).then_some(operand.actual)
    };
    let fits = |ty: crate::types::Type, index: usize| ty.is_a(row.operands[index].class);
    let count = row.operands.len();
    let pairs = (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second)));
    let mut found = pairs.filter(|&(first, second)| {
        let (Some(one), Some(other)) = (ty(first), ty(second)) else { return false };
        fits(one, second) && fits(other, first) && !(fits(one, first) && fits(other, second))
    });
    let pair = found.next()?;
    found.next().is_none().then_some(pair)
}
