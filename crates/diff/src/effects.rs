//! Alignment of ops with effects, whose order in the text is only a hint.

use crate::align::{self, Used};
use crate::fingerprint::Fingerprints;
use crate::side::Side;
use crate::signature::Signature;
use tile_analysis::ir::{OpId, RegionId, Value};

/// A body as this module sees it.
#[derive(Clone, Copy)]
pub(crate) struct Effects<'a> {
    pub(crate) side: &'a Side<'a>,
    pub(crate) signatures: &'a [Signature],
    /// With the tokens that ops wait for, and without.
    pub(crate) strict: &'a Fingerprints,
    pub(crate) loose: &'a Fingerprints,
}

/// Pairs the ops with effects that two regions contain directly: first those that are equal with everything they depend
/// on, then those that are equal but for their tokens, and the rest by similarity, in order.
pub(crate) fn pairs(a: Effects, b: Effects, regions: (RegionId, RegionId)) -> Vec<(OpId, OpId)> {
    let (ops_a, ops_b) = (a.side.effects(regions.0), b.side.effects(regions.1));
    let mut used = Used::none(ops_a.len(), ops_b.len());
    let keys =
        |prints: &Fingerprints, ops: &[OpId]| -> Vec<u64> { ops.iter().map(|op| prints.ops[op.0 as usize]).collect() };
    let mut pairs = align::by_key(&keys(a.strict, &ops_a), &keys(b.strict, &ops_b), &mut used);
    pairs.extend(align::by_key(&keys(a.loose, &ops_a), &keys(b.loose, &ops_b), &mut used));
    pairs.extend(align::by_score(|x, y| score((a, ops_a[x]), (b, ops_b[y])), &mut used));
    pairs.sort_unstable();
    pairs.into_iter().map(|(x, y)| (ops_a[x], ops_b[y])).collect()
}

/// How much two ops have in common; 0 if they are different ops.
fn score((a, id_a): (Effects, OpId), (b, id_b): (Effects, OpId)) -> u32 {
    let (op_a, op_b) = (a.side.op(id_a), b.side.op(id_b));
    if op_a.op != op_b.op {
        return 0;
    }
    let (of_a, of_b) = (a.signatures[id_a.0 as usize], b.signatures[id_b.0 as usize]);
    let same = 4 * u32::from(of_a.attrs == of_b.attrs) + 4 * u32::from(of_a.types == of_b.types);
    10 + same + operands((a, id_a), (b, id_b)) + content((a, id_a), (b, id_b))
}

/// The part of the operands that are equal, or results of the same op, from 0 to 12.
fn operands((a, id_a): (Effects, OpId), (b, id_b): (Effects, OpId)) -> u32 {
    let (list_a, list_b) = (a.side.body.operands(a.side.op(id_a)), b.side.body.operands(b.side.op(id_b)));
    let one = |(x, y): (&Value, &Value)| {
        let kind = |side: &Side, value| side.defining(value).map(|op| side.op(op).op);
        match a.loose.values[x.0 as usize] == b.loose.values[y.0 as usize] {
            true => 6,
            false if kind(a.side, *x) == kind(b.side, *y) => 2,
            false => 0,
        }
    };
    let sum: u32 = list_a.iter().zip(list_b).map(one).sum();
    2 * sum / list_a.len().max(list_b.len()).max(1) as u32
}

/// The part of the ops in their regions that are equal apart from their operands, from 0 to 12.
fn content((a, id_a): (Effects, OpId), (b, id_b): (Effects, OpId)) -> u32 {
    let (all_a, all_b) = (nested(a, id_a), nested(b, id_b));
    let total = all_a.len() + all_b.len();
    if total == 0 {
        return 0;
    }
    let (mut x, mut y, mut common) = (0, 0, 0);
    while x < all_a.len() && y < all_b.len() {
        match all_a[x].cmp(&all_b[y]) {
            std::cmp::Ordering::Less => x += 1,
            std::cmp::Ordering::Greater => y += 1,
            std::cmp::Ordering::Equal => (x, y, common) = (x + 1, y + 1, common + 1),
        }
    }
    (12 * 2 * common / total) as u32
}

/// The attributes of the ops in the regions of an op, sorted.
fn nested(of: Effects, op: OpId) -> Vec<u32> {
    let (body, first) = (of.side.body, op.0 as usize + 1);
    if body.op(op).regions.is_empty() {
        return Vec::new();
    }
    let mut all: Vec<u32> = of.signatures[first..][..of.side.size(op) - 1].iter().map(|found| found.attrs).collect();
    all.sort_unstable();
    all
}
