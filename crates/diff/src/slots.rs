//! Alignment of the values that loops carry and branches return, so that adding or moving one does not shift the
//! others.

use crate::fingerprint::Fingerprints;
use crate::side::Side;
use tile_analysis::ir::{OpId, RegionId, Value};
use tile_analysis::types::Type;
use tile_dialect::Mnemonic;

/// For each index of the first list, the index of the second one.
pub(crate) type Pairing = Vec<Option<usize>>;

/// How the values of two aligned ops correspond.
pub(crate) struct Slots {
    /// The initial values of a loop, which are also the operands of `continue`.
    pub(crate) carried: Pairing,
    /// The block arguments of each region.
    pub(crate) args: Pairing,
    /// The results.
    pub(crate) results: Pairing,
}

/// One carried or returned value: its type, and fingerprints of its initial value and of the value passed on.
struct Slot {
    ty: Type,
    init: Option<u64>,
    next: Option<u64>,
}

/// An op of one of the bodies.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) side: &'a Side<'a>,
    pub(crate) prints: &'a Fingerprints,
    pub(crate) op: OpId,
}

/// The operand group of an op that contains its carried values.
pub(crate) fn carried_group(op: Mnemonic) -> Option<usize> {
    match op {
        Mnemonic::For => Some(3),
        Mnemonic::Loop => Some(0),
        _ => None,
    }
}

impl Slots {
    pub(crate) fn of(a: Place, b: Place) -> Slots {
        let op = a.side.op(a.op).op;
        if op != b.side.op(b.op).op {
            return Slots { carried: Vec::new(), args: Vec::new(), results: pair(&a.results(), &b.results()) };
        }
        let carried = pair(&a.carried(), &b.carried());
        let results = if op == Mnemonic::For { carried.clone() } else { pair(&a.results(), &b.results()) };
        let args = match op {
            // The induction variable precedes the carried values.
            Mnemonic::For => {
                let carried = carried.iter().map(|index| index.map(|index| index + 1));
                [Some(0)].into_iter().chain(carried).collect()
            }
            Mnemonic::Loop => carried.clone(),
            _ => (0..a.args()).map(|index| (index < b.args()).then_some(index)).collect(),
        };
        Slots { carried, args, results }
    }
}

impl Place<'_> {
    fn args(self) -> usize {
        let mut regions = self.side.body.regions_of(self.side.op(self.op));
        regions.next().map_or(0, |region| self.side.body.region(region).args.len())
    }

    fn carried(self) -> Vec<Slot> {
        let op = self.side.op(self.op);
        let Some(group) = carried_group(op.op) else { return Vec::new() };
        let next = self.end(Mnemonic::Continue);
        let slot = |(index, &init): (usize, &Value)| Slot {
            ty: self.side.body.ty(init),
            init: Some(self.prints.values[init.0 as usize]),
            next: next.get(index).copied(),
        };
        self.side.body.group(op, group).iter().enumerate().map(slot).collect()
    }

    fn results(self) -> Vec<Slot> {
        let op = self.side.op(self.op);
        let next = self.end(Mnemonic::Yield);
        let results = self.side.body.results(op).enumerate();
        let slot = |(index, value)| Slot { ty: self.side.body.ty(value), init: None, next: next.get(index).copied() };
        results.map(slot).collect()
    }

    /// The fingerprints of the operands of the op that ends the first region, if it is a certain op.
    fn end(self, terminator: Mnemonic) -> Vec<u64> {
        let body = self.side.body;
        let first = body.regions_of(self.side.op(self.op)).next();
        let last = first.and_then(|region: RegionId| body.region(region).ops.last());
        let Some(last) = last.map(|&op| body.op(op)).filter(|op| op.op == terminator) else { return Vec::new() };
        body.operands(last).iter().map(|value| self.prints.values[value.0 as usize]).collect()
    }
}

/// Pairs the slots that have most in common. If both lists are equally long, those that remain are paired in order.
fn pair(a: &[Slot], b: &[Slot]) -> Pairing {
    let mut scores = Vec::new();
    for (x, slot) in a.iter().enumerate() {
        for (y, other) in b.iter().enumerate() {
            let score = score(slot, other) * 2 + u32::from(x == y);
            if score > 1 {
                scores.push((std::cmp::Reverse(score), x.abs_diff(y), x, y));
            }
        }
    }
    scores.sort_unstable();
    let (mut pairs, mut taken) = (vec![None; a.len()], vec![false; b.len()]);
    for (_, _, x, y) in scores {
        if pairs[x].is_none() && !taken[y] {
            (pairs[x], taken[y]) = (Some(y), true);
        }
    }
    if a.len() == b.len() {
        let mut free = (0..b.len()).filter(|&y| !taken[y]);
        pairs.iter_mut().filter(|pair| pair.is_none()).for_each(|pair| *pair = free.next());
    }
    pairs
}

fn score(a: &Slot, b: &Slot) -> u32 {
    let is_same = |a: Option<u64>, b: Option<u64>| u32::from(a.is_some() && a == b);
    2 * u32::from(a.ty == b.ty) + 3 * is_same(a.init, b.init) + 3 * is_same(a.next, b.next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tile_dialect::Element;

    #[test]
    fn a_new_slot_does_not_shift_the_others() {
        let slot = |element, init| Slot { ty: Type::tile(&[], element), init: Some(init), next: None };
        let (x, y) = (|| slot(Element::F32, 1), || slot(Element::F32, 2));
        assert_eq!(pair(&[x(), y()], &[slot(Element::I32, 3), x(), y()]), [Some(1), Some(2)]);
        assert_eq!(pair(&[x(), y()], &[y(), x()]), [Some(1), Some(0)]);
        assert_eq!(pair(&[x(), y()], &[slot(Element::F16, 7), y()]), [Some(0), Some(1)]);
    }
}
