//! Result types that the operands do not determine.

use crate::ir::Attr;
use crate::likely_types::{self, Literal, Statement};
use crate::lower::Lowerer;
use crate::lower::infer::Signature;
use crate::lower::op::Draft;
use crate::types::Type;
use tile_dialect::{Arity, AttrKind, AttrName, OpRow};
use tile_syntax::Node;

impl Lowerer<'_> {
    /// The signature of an op with the likeliest type of a result that the operands do not determine and the text does
    /// not state, and whether that is a guess.
    pub(super) fn with_likely_result(&self, draft: &Draft<'_>) -> (Signature, bool) {
        let (row, signature) = (draft.named.row, &draft.signature);
        // A stated type that is not that of the operand may be meant for the result.
        let is_plain = signature.operands.iter().all(|operand| operand.stated.is_none_or(|ty| ty == operand.actual));
        let is_derived = signature.derived(row).is_some() && !signature.lacks_results(row);
        if is_derived || !signature.has_open_result(row) || !is_plain {
            return (signature.clone(), false);
        }
        let of_operand =
            |index| signature.operands[signature.operand_group(index)].iter().map(|operand| operand.actual);
        let number = |entry: &Option<(Option<i64>, Node)>| entry.and_then(|(number, _)| number);
        let statement = Statement {
            named: draft.named,
            version: self.context.options.version,
            operands: (0..row.operands.len()).map(|index| of_operand(index).collect()).collect(),
            attrs: draft.attrs.to_vec(),
            lists: draft.syntax.mixed.iter().map(|(slot, entry)| (*slot as usize, number(entry))).collect(),
            literal: self.literal(draft),
            global: self.global_pointer(draft),
            visible: self.builder.body().values.iter().rev().copied().collect(),
        };
        let with = |result: Type| {
            let mut signature = signature.clone();
            signature.state_result(row, result);
            signature
        };
        let fitting =
            likely_types::results(&statement).into_iter().map(with).find(|signature| signature.derived(row).is_some());
        let is_guess = fitting.is_some() && !likely_types::is_certain(&statement);
        (fitting.unwrap_or_else(|| signature.clone()), is_guess)
    }

    /// The type of the pointer to the global that the op names.
    fn global_pointer(&self, draft: &Draft<'_>) -> Option<Type> {
        let (index, _) = draft.named.row.attr(AttrName::Name)?;
        match draft.attrs.get(index)? {
            Attr::Symbol(name) => self.context.global_pointer(name),
            _ => None,
        }
    }

    /// The literal of a constant.
    fn literal(&self, draft: &Draft<'_>) -> Option<Literal> {
        let is_dense = |slot: u8| matches!(draft.named.row.attrs[slot as usize].kind, AttrKind::Dense);
        let (_, node) = draft.syntax.attrs.iter().find(|(slot, _)| is_dense(*slot))?;
        Literal::read(self.tree.text(*node, self.text))
    }
}

impl Signature {
    /// Whether the text does not state the first result.
    fn has_open_result(&self, row: &'static OpRow) -> bool {
        !row.results.is_empty() && self.results[self.result_group(0)].iter().all(Option::is_none)
    }

    /// Whether the number of results is not known, because neither the operands nor stated types determine it.
    fn lacks_results(&self, row: &'static OpRow) -> bool {
        let is_variadic = row.results.first().is_some_and(|result| result.arity == Arity::Variadic);
        is_variadic && self.result_group(0).is_empty() && self.mirrored(row, 0).is_none()
    }
}
