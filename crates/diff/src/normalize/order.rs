//! The order of the values that an op of the second body carries and returns, if they are in the order of the first
//! body.

use crate::matching::{Matching, target};
use crate::slots::{Pairing, Slots, carried_group};
use tile_analysis::ir::{Def, OpId, Value};
use tile_dialect::Mnemonic;

/// For each new index, the old one.
pub(super) type Permutation = Vec<usize>;

/// The orders of an op's values; `None` where they stay as they are.
#[derive(Default)]
pub(super) struct Order {
    pub(super) carried: Option<Permutation>,
    pub(super) args: Option<Permutation>,
    pub(super) results: Option<Permutation>,
}

impl Order {
    /// The orders for an op of the second body.
    pub(super) fn of(matching: &Matching, op: OpId) -> Order {
        let is_reordered = matches!(matching.b.side.op(op).op, Mnemonic::For | Mnemonic::Loop | Mnemonic::If);
        let Some(slots) = slots(matching, op).filter(|_| is_reordered) else { return Order::default() };
        let body = matching.b.side.body;
        let of_b = body.op(op);
        let carried = carried_group(of_b.op).map_or(0, |group| body.group(of_b, group).len());
        let args = body.regions_of(of_b).next().map_or(0, |region| body.region(region).args.len());
        let order = Order {
            carried: permutation(&slots.carried, carried),
            args: permutation(&slots.args, args),
            results: permutation(&slots.results, of_b.results.len()),
        };
        // The lists of a loop belong together.
        let is_complete = order.carried.is_some() && order.args.is_some() && order.results.is_some();
        if carried_group(of_b.op).is_some() && !is_complete { Order::default() } else { order }
    }

    /// The order of the operands of an op that ends a region.
    fn of_terminator(matching: &Matching, op: OpId) -> Option<Permutation> {
        let side = matching.b.side;
        let owner = target(side, op)?;
        let order = Order::of(matching, owner);
        match (side.op(op).op, side.op(owner).op) {
            (Mnemonic::Continue, _) => order.carried,
            (Mnemonic::Break, _) | (Mnemonic::Yield, Mnemonic::If) => order.results,
            _ => None,
        }
    }
}

/// How the values of an op of the second body and its partner correspond, if not by position.
fn slots<'m>(matching: &'m Matching, op: OpId) -> Option<&'m Slots> {
    let partner = matching.b.partner[op.0 as usize]?;
    matching.slots.get(&partner)
}

/// The index in the first body of the result with this new index.
pub(super) fn result_like(matching: &Matching, op: OpId, order: &Order, index: usize) -> Option<usize> {
    let pairing = slots(matching, op).map(|slots| &slots.results);
    like(pairing.filter(|_| order.results.is_none()), index)
}

/// The index in the first body of the block argument with this new index.
pub(super) fn arg_like(matching: &Matching, op: OpId, order: &Order, index: usize) -> Option<usize> {
    let pairing = slots(matching, op).map(|slots| &slots.args);
    like(pairing.filter(|_| order.args.is_none()), index)
}

fn like(pairing: Option<&Pairing>, index: usize) -> Option<usize> {
    pairing.map_or(Some(index), |pairing| pairing.iter().position(|other| *other == Some(index)))
}

/// The permutation that a complete pairing describes.
fn permutation(pairing: &Pairing, count: usize) -> Option<Permutation> {
    let order: Permutation = pairing.iter().copied().collect::<Option<_>>()?;
    (order.len() == count && order.iter().all(|&index| index < count)).then_some(order)
}

/// Applies a permutation to a list.
pub(super) fn apply<T: Copy>(list: &[T], order: Option<&Permutation>) -> Vec<T> {
    match order.filter(|order| order.len() == list.len()) {
        Some(order) => order.iter().map(|&index| list[index]).collect(),
        None => list.to_vec(),
    }
}

/// The operands of an op of the second body by group, in the order of its partner.
pub(super) fn operands(matching: &Matching, id: OpId) -> Vec<Vec<Value>> {
    let (side, op) = (matching.b.side, matching.b.side.op(id));
    let mut all = side.body.operands(op).to_vec();
    let partner = matching.b.partner[id.0 as usize].map(|partner| matching.a.side.op(partner));
    let like = partner.filter(|like| like.op == op.op).map(|like| matching.a.side.body.operands(like));
    if let Some(like) = like {
        matching.exchange_like(op.op, like, &mut all);
    }
    let (order, ending) = (Order::of(matching, id), Order::of_terminator(matching, id));
    let mut groups = Vec::new();
    let mut first = 0;
    for group in 0..op.op.row().operands.len() {
        let count = side.body.group(op, group).len();
        let is_carried = carried_group(op.op) == Some(group);
        let order = if is_carried { order.carried.as_ref() } else { ending.as_ref() };
        groups.push(apply(&all[first..first + count], order));
        first += count;
    }
    if let Some(like) = like.filter(|like| like.len() == all.len()) {
        groups.iter_mut().flatten().zip(like).for_each(|(value, &like)| *value = repeated(matching, *value, like));
    }
    groups
}

/// Of the equal values of the second body, the counterpart of a value of the first: a pure op can be computed several
/// times.
fn repeated(matching: &Matching, value: Value, like: Value) -> Value {
    let (side_a, side_b) = (matching.a.side, matching.b.side);
    let counterpart = || {
        let Some(Def::Result(op, rank)) = side_a.def(like) else { return None };
        let partner = matching.a.partner[op.0 as usize].filter(|&partner| side_b.is_movable(partner))?;
        side_b.body.results(side_b.op(partner)).nth(rank)
    };
    let equal = counterpart().filter(|&other| matching.are_equal(like, value) && matching.are_equal(like, other));
    equal.unwrap_or(value)
}
