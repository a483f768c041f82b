//! `select` with a constant condition, or between equal values or truth values; joins of equal tokens.

use super::simpler::Simpler;
use crate::entry::Entry;
use tile_analysis::ir::Op;
use tile_dialect::{Element, Mnemonic as M};

pub(super) fn select(entry: &Entry<'_>, op: &Op) -> Option<Simpler> {
    let body = entry.body();
    let operands = body.operands(op);
    match (op.op, operands) {
        (M::JoinTokens, [first, rest @ ..]) if rest.iter().all(|token| token == first) => Some(Simpler::Value(*first)),
        (M::Select, &[_, yes, no]) if yes == no => Some(Simpler::Value(yes)),
        (M::Select, &[condition, yes, no]) => {
            if let Some(bits) = entry.splat(condition) {
                return Some(Simpler::Value(if bits & 1 == 1 { yes } else { no }));
            }
            let is_truth = body.ty(yes).as_tile()?.number() == Some(Element::I1);
            (is_truth && entry.splat(yes) == Some(1) && entry.splat(no) == Some(0)).then_some(Simpler::Value(condition))
        }
        _ => None,
    }
}
