//! Canonical form: ops that can be written more simply.
//!
//! Sound because each rule gives the same bits for all operands for which the op is defined, also for unspecified
//! elements, of which any value is allowed. Rules about numbers are limited to integers: with floats, `x + 0` changes
//! -0.0, `x * 0` hides NaN and infinity, and even `x * 1` can change the bits of a NaN. A constant operand of `addf`
//! and `mulf` that is not NaN moves to the right, which changes nothing.

mod branches;
mod conversions;
mod integers;
mod order;
mod selects;
mod shapes;
mod simpler;

use crate::change::{Change, Changes};
use crate::entry::Entry;
use crate::ops::is_pure;
use simpler::Simpler;
use tile_analysis::ir::{Dense, Op, OpId};

/// A rule for some ops. Returns the replacement of an op to which it applies.
type Rule = fn(&Entry<'_>, &Op) -> Option<Simpler>;

const RULES: &[Rule] = &[
    integers::identity,
    integers::same_operands,
    integers::double_negation,
    selects::select,
    conversions::chain,
    shapes::unchanged,
    shapes::chain,
    order::constant_on_the_right,
];

pub(super) fn changes(entry: &Entry<'_>) -> Changes {
    entry.ops().filter_map(|(id, op)| simplified(entry, id, op).or_else(|| branches::resolved(entry, id, op))).collect()
}

fn simplified(entry: &Entry<'_>, id: OpId, op: &Op) -> Option<Vec<Change>> {
    let result = entry.result(op).filter(|value| is_pure(op) && entry.use_count(*value) > 0)?;
    let simpler = RULES.iter().find_map(|rule| rule(entry, op))?;
    Some(match simpler {
        Simpler::Value(value) => {
            entry.name_of(value)?;
            vec![Change::Use { instead_of: result, value }, Change::Remove(id)]
        }
        Simpler::Splat(bits) => {
            let element = entry.body().ty(result).as_tile()?.number()?;
            vec![Change::Rewrite(id, super::fold::constant(Dense::new(element, vec![bits])))]
        }
        Simpler::Op(new) => {
            new.groups.iter().flatten().try_for_each(|value| entry.name_of(*value).map(|_| ()))?;
            vec![Change::Rewrite(id, new)]
        }
    })
}
