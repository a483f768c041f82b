//! The differences between two entries.
//!
//! Ops with effects are aligned first, region by region. Value numbering then finds pure ops that are equal whatever
//! their order. Where an operand of aligned ops differs, the ops that compute it are aligned, back to the first
//! difference. From there on, the results of aligned ops count as equal, so that a change is reported once and not at
//! every op that depends on it.

use crate::changes::Difference;
use crate::commutative::exchangeable;
use crate::effects;
use crate::half::Half;
use crate::numbering::Numbering;
use crate::operand::Operand;
use crate::side::Side;
use crate::signature::{Renames, Signatures, canonical};
use crate::slots::{Pairing, Slots, carried_group};
use crate::types::delta;
use rustc_hash::{FxHashMap, FxHashSet};
use tile_analysis::ir::{OpId, RegionId, Value};
use tile_dialect::Mnemonic;

/// The length of the chains of operands that are followed.
const MAX_DEPTH: usize = 10_000;

/// The number of ops that may be numbered again for one entry. In large entries with many changes, values are numbered
/// again after several changes instead of after each.
const MAX_RENUMBERED: usize = 1 << 21;

/// The number of ops without counterpart that may lie between two corresponding values.
const MAX_SKIPPED: usize = 4;

/// The comparison of two entries.
pub(crate) struct Matching<'a> {
    pub(crate) a: Half<'a>,
    pub(crate) b: Half<'a>,
    numbering: Numbering,
    renames: &'a Renames,
    pub(crate) slots: FxHashMap<OpId, Slots>,
    /// The aligned ops with effects. They are compared in this order.
    queue: Vec<(OpId, OpId)>,
    pub(crate) changed: Vec<(OpId, OpId, Vec<Difference>)>,
    /// The number of alignments after which values are numbered again, and the number since then.
    interval: usize,
    since: usize,
}

impl<'a> Matching<'a> {
    /// Compares two bodies. `params` are the pairs of corresponding parameters.
    pub(crate) fn new(
        a: &'a Side<'a>,
        b: &'a Side<'a>,
        params: &[(Value, Value)],
        renames: &'a Renames,
    ) -> Matching<'a> {
        let mut signatures = Signatures::default();
        let of_a = signatures.of(a, &Renames::default());
        let of_b = signatures.of(b, renames);
        let ops = a.body.ops.len().max(b.body.ops.len());
        let mut matching = Matching {
            a: Half::new(a, of_a),
            b: Half::new(b, of_b),
            numbering: Numbering::default(),
            renames,
            slots: FxHashMap::default(),
            queue: Vec::new(),
            changed: Vec::new(),
            interval: (ops * ops / MAX_RENUMBERED).max(1),
            since: 0,
        };
        if !a.body.regions.is_empty() && !b.body.regions.is_empty() {
            params.iter().for_each(|&(x, y)| matching.pin_values(x, y));
            matching.align_regions(RegionId(0), RegionId(0));
        }
        matching.renumber();
        let mut at = 0;
        while let Some(&(x, y)) = matching.queue.get(at) {
            matching.compare(x, y, 0);
            at += 1;
        }
        matching.renumber();
        matching
    }

    pub(crate) fn renumber(&mut self) {
        self.since = 0;
        self.a.number(&mut self.numbering);
        self.b.number(&mut self.numbering);
    }

    /// Aligns two regions, and the ops with effects in them.
    fn align_regions(&mut self, a: RegionId, b: RegionId) {
        let class = self.numbering.fresh();
        self.a.pins.regions.insert(a, class);
        self.b.pins.regions.insert(b, class);
        for (x, y) in effects::pairs(self.a.effects(), self.b.effects(), (a, b)) {
            self.queue.push((x, y));
            self.align(x, y);
        }
    }

    /// Aligns two ops, with their results, regions and block arguments.
    fn align(&mut self, a: OpId, b: OpId) {
        let slots = Slots::of(self.a.place(a), self.b.place(b));
        self.a.partner[a.0 as usize] = Some(b);
        self.b.partner[b.0 as usize] = Some(a);
        let class = self.numbering.fresh();
        self.a.pins.ops.insert(a, class);
        self.b.pins.ops.insert(b, class);
        let (op_a, op_b) = (self.a.side.op(a), self.b.side.op(b));
        let (first_a, first_b) = (op_a.results.start, op_b.results.start);
        for (x, y) in paired(&slots.results) {
            self.pin_values(Value(first_a + x as u32), Value(first_b + y as u32));
        }
        let (body_a, body_b) = (self.a.side.body, self.b.side.body);
        let regions: Vec<_> = body_a.regions_of(op_a).zip(body_b.regions_of(op_b)).collect();
        for &(x, y) in &regions {
            let (args_a, args_b) = (&body_a.region(x).args, &body_b.region(y).args);
            for (x, y) in paired(&slots.args) {
                if let (Some(&x), Some(&y)) = (args_a.get(x), args_b.get(y)) {
                    self.pin_values(x, y);
                }
            }
        }
        self.slots.insert(a, slots);
        for (x, y) in regions {
            self.align_regions(x, y);
        }
    }

    fn pin_values(&mut self, a: Value, b: Value) {
        let class = self.numbering.fresh();
        self.a.pins.values.insert(a, class);
        self.b.pins.values.insert(b, class);
    }

    /// Aligns two pure ops after comparing them.
    pub(crate) fn pair(&mut self, a: OpId, b: OpId, depth: usize) {
        self.a.partner[a.0 as usize] = Some(b);
        self.b.partner[b.0 as usize] = Some(a);
        self.compare(a, b, depth);
        self.align(a, b);
        self.since += 1;
        if self.since >= self.interval || !self.a.side.op(a).regions.is_empty() {
            self.renumber();
        }
    }

    /// Records the differences between two aligned ops.
    fn compare(&mut self, a: OpId, b: OpId, depth: usize) {
        let (op_a, op_b) = (self.a.side.op(a), self.b.side.op(b));
        let mut found = Vec::new();
        if op_a.op == op_b.op {
            let attrs = self.a.side.body.attrs_of(op_a).iter().zip(self.b.side.body.attrs_of(op_b));
            for (index, (row, (x, y))) in op_a.op.row().attrs.iter().zip(attrs).enumerate() {
                if canonical(row, x, &Renames::default()) != canonical(row, y, self.renames) {
                    found.push(Difference::Attr(index));
                }
            }
        } else {
            found.push(Difference::Op);
        }
        let operands = self.operands(a, b);
        for operand in &operands {
            let is_same = match (operand.a, operand.b) {
                (Some(x), Some(y)) => self.corresponds(x, y, depth + 1),
                (x, y) => self.is_new(x, y),
            };
            if !is_same {
                found.push(operand.clone().difference());
            }
        }
        found.extend(self.types(a, b, &operands));
        if op_a.regions.len() != op_b.regions.len() {
            found.push(Difference::Regions);
        }
        if !found.is_empty() {
            self.changed.push((a, b, found));
        }
    }

    /// Whether an operand that only one of the ops has follows from an op that only its body has.
    fn is_new(&self, a: Option<Value>, b: Option<Value>) -> bool {
        let is_token = |half: &Half, value: Value| half.side.is_token(value);
        a.is_some_and(|value| is_token(&self.a, value) && self.a.is_value_alone(value, &self.b))
            || b.is_some_and(|value| is_token(&self.b, value) && self.b.is_value_alone(value, &self.a))
    }

    /// The pairs of operands of two aligned ops.
    fn operands(&self, a: OpId, b: OpId) -> Vec<Operand> {
        let (op_a, op_b) = (self.a.side.op(a), self.b.side.op(b));
        let (body_a, body_b) = (self.a.side.body, self.b.side.body);
        if op_a.op != op_b.op {
            let (all_a, mut all_b) = (body_a.operands(op_a).to_vec(), body_b.operands(op_b).to_vec());
            self.exchange(&all_a, &mut all_b, usize::MAX);
            return Operand::list(None, &all_a, &all_b, None);
        }
        let pairing = self.pairing(a, b);
        let mut found = Vec::new();
        for group in 0..op_a.op.row().operands.len() {
            let (list_a, mut list_b) = (body_a.group(op_a, group).to_vec(), body_b.group(op_b, group).to_vec());
            let is_carried = carried_group(op_a.op).is_none_or(|carried| carried == group);
            if op_a.op == Mnemonic::JoinTokens {
                self.exchange(&list_a, &mut list_b, usize::MAX);
            }
            found.extend(Operand::list(Some(group), &list_a, &list_b, pairing.filter(|_| is_carried)));
        }
        if op_a.op != Mnemonic::JoinTokens && exchangeable(op_a.op, found.len()) == 2 {
            self.exchange_first(&mut found);
        }
        found
    }

    /// How the operands of a loop or of an op that ends a region correspond, if not by position.
    fn pairing(&self, a: OpId, b: OpId) -> Option<&Pairing> {
        let op = self.a.side.op(a).op;
        if carried_group(op).is_some() {
            return self.slots.get(&a).map(|slots| &slots.carried);
        }
        let (owner_a, owner_b) = (target(self.a.side, a)?, target(self.b.side, b)?);
        if self.a.partner[owner_a.0 as usize] != Some(owner_b) {
            return None;
        }
        let slots = self.slots.get(&owner_a)?;
        match (op, self.a.side.op(owner_a).op) {
            (Mnemonic::Continue, _) => Some(&slots.carried),
            (Mnemonic::Break, _) | (Mnemonic::Yield, Mnemonic::If) => Some(&slots.results),
            _ => None,
        }
    }

    /// Moves equal values of the second list to the positions they have in the first.
    fn exchange(&self, a: &[Value], b: &mut [Value], most: usize) {
        for index in 0..a.len().min(b.len()).min(most) {
            let is_same = |value: &Value| self.are_equal(a[index], *value);
            if !is_same(&b[index])
                && let Some(found) =
                    (index + 1..b.len()).find(|&at| is_same(&b[at]) && !self.are_equal(a[at.min(a.len() - 1)], b[at]))
            {
                b.swap(index, found);
            }
        }
    }

    /// Moves the exchangeable operands of an op of the second body to the positions of equal ones of its partner.
    pub(crate) fn exchange_like(&self, op: Mnemonic, a: &[Value], b: &mut [Value]) {
        if op == Mnemonic::JoinTokens {
            self.exchange(a, b, usize::MAX);
        } else if let ([first, second, ..], true) = (a, exchangeable(op, b.len()) == 2) {
            let straight = self.are_equal(*first, b[0]) || self.are_equal(*second, b[1]);
            if !straight && (self.are_equal(*first, b[1]) || self.are_equal(*second, b[0])) {
                b.swap(0, 1);
            }
        }
    }

    fn exchange_first(&self, operands: &mut [Operand]) {
        let [first, second, ..] = operands else { return };
        let equal = |x: Option<Value>, y: Option<Value>| x.zip(y).is_some_and(|(x, y)| self.are_equal(x, y));
        let straight = equal(first.a, first.b) || equal(second.a, second.b);
        let crossed = equal(first.a, second.b) || equal(second.a, first.b);
        if crossed && !straight {
            std::mem::swap(&mut first.b, &mut second.b);
        }
    }

    /// The types of results that differ, unless the types of operands differ in the same way.
    fn types(&self, a: OpId, b: OpId, operands: &[Operand]) -> Vec<Difference> {
        let (side_a, side_b) = (self.a.side, self.b.side);
        let (op_a, op_b) = (side_a.op(a), side_b.op(b));
        let pairs = match self.slots.get(&a) {
            Some(slots) => paired(&slots.results).collect(),
            None => (0..op_a.results.len().min(op_b.results.len())).map(|index| (index, index)).collect::<Vec<_>>(),
        };
        let mut explained: FxHashSet<(String, String)> = FxHashSet::default();
        let mut explain = |x: Value, y: Value| explained.extend(delta(side_a.body.ty(x), side_b.body.ty(y)));
        for operand in operands {
            if let (Some(x), Some(y)) = (operand.a, operand.b) {
                explain(x, y);
            }
        }
        let ends = |side: &'a Side<'a>, op: OpId| {
            let regions = side.body.regions_of(side.op(op)).filter_map(|region| side.body.region(region).ops.last());
            regions.flat_map(|&end| side.body.operands(side.op(end))).copied().collect::<Vec<_>>()
        };
        ends(side_a, a).into_iter().zip(ends(side_b, b)).for_each(|(x, y)| explain(x, y));
        let mut found = Vec::new();
        for (x, y) in pairs {
            let ty = |side: &Side, first: u32, index: usize| side.body.ty(Value(first + index as u32));
            let (ty_a, ty_b) = (ty(side_a, op_a.results.start, x), ty(side_b, op_b.results.start, y));
            if ty_a != ty_b && !delta(ty_a, ty_b).iter().all(|part| explained.contains(part)) {
                found.push(Difference::Type(ty_a, ty_b));
            }
        }
        let counts = (op_a.results.len(), op_b.results.len());
        if counts.0 != counts.1 && carried_group(op_a.op).is_none() {
            found.push(Difference::Results(counts.0, counts.1));
        }
        found
    }

    pub(crate) fn are_equal(&self, a: Value, b: Value) -> bool {
        self.a.class_of(a) == self.b.class_of(b)
    }

    /// Whether the difference between two values, if any, is reported at the ops that compute them.
    fn corresponds(&mut self, a: Value, b: Value, depth: usize) -> bool {
        if self.are_equal(a, b) {
            return true;
        }
        let alone = (self.a.is_value_alone(a, &self.b), self.b.is_value_alone(b, &self.a));
        if alone.0 && self.skips_a(a, b, MAX_SKIPPED) || alone.1 && self.skips_b(a, b, MAX_SKIPPED) {
            return true;
        }
        if alone != (true, true) || depth > MAX_DEPTH {
            return false;
        }
        if let Some((x, y)) = self.pure_definitions(a, b) {
            if self.are_alike(x, y) {
                self.pair(x, y, depth);
                return self.are_equal(a, b);
            }
            // One of the ops may have been inserted between the other and its counterpart.
            let next = |half: &Half, other: &Half, value: Value, op: Mnemonic| {
                let defines = |value: &&Value| {
                    let defining = half.side.defining(**value);
                    defining.is_some_and(|id| half.side.op(id).op == op && half.is_alone(id, other))
                };
                half.sources(value).iter().find(defines).copied()
            };
            if let Some(inner) = next(&self.a, &self.b, a, self.b.side.op(y).op) {
                return self.corresponds(inner, b, depth + 1);
            }
            if let Some(inner) = next(&self.b, &self.a, b, self.a.side.op(x).op) {
                return self.corresponds(a, inner, depth + 1);
            }
        }
        // Both are computed in another way, by ops that only one of the bodies has.
        true
    }

    fn pure_definitions(&self, a: Value, b: Value) -> Option<(OpId, OpId)> {
        let (x, y) = (self.a.side.defining(a)?, self.b.side.defining(b)?);
        (self.a.side.is_pure(x) && self.b.side.is_pure(y)).then_some((x, y))
    }

    /// Whether a pure op of each body can be seen as one op that changed.
    fn are_alike(&self, a: OpId, b: OpId) -> bool {
        let (op_a, op_b) = (self.a.side.op(a), self.b.side.op(b));
        if op_a.op == op_b.op {
            return true;
        }
        let (x, y) = (self.a.side.body.operands(op_a), self.b.side.body.operands(op_b));
        let is_shared = |value: &Value| y.iter().any(|other| self.are_equal(*value, *other));
        let has_regions = !op_a.regions.is_empty() || !op_b.regions.is_empty();
        !has_regions && x.len() == y.len() && op_a.results.len() == op_b.results.len() && x.iter().any(is_shared)
    }

    /// Whether `b` is among the values that ops without counterpart compute `a` from.
    fn skips_a(&self, a: Value, b: Value, most: usize) -> bool {
        self.a.sources(a).iter().any(|&value| {
            self.are_equal(value, b)
                || most > 1 && self.a.is_value_alone(value, &self.b) && self.skips_a(value, b, most - 1)
        })
    }

    fn skips_b(&self, a: Value, b: Value, most: usize) -> bool {
        self.b.sources(b).iter().any(|&value| {
            self.are_equal(a, value)
                || most > 1 && self.b.is_value_alone(value, &self.a) && self.skips_b(a, value, most - 1)
        })
    }
}

/// The op whose carried values or results an op that ends a region passes on.
pub(crate) fn target(side: &Side, terminator: OpId) -> Option<OpId> {
    let jumps = matches!(side.op(terminator).op, Mnemonic::Continue | Mnemonic::Break);
    let mut owner = side.owner_of(terminator)?;
    while jumps && carried_group(side.op(owner).op).is_none() {
        owner = side.owner_of(owner)?;
    }
    Some(owner)
}

fn paired(pairing: &Pairing) -> impl Iterator<Item = (usize, usize)> {
    pairing.iter().enumerate().filter_map(|(a, b)| Some((a, (*b)?)))
}
